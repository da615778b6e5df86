const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Formats an ISO time as "Fri 27 Nov, 14:30" in UTC. */
export function shortTime(iso: string): string {
  return TIME.format(new Date(iso))
}

/** Formats the end of a period. If the period ends on the day on which it began, only the time is shown. */
export function endTime({ from, to }: { readonly from: string; readonly to: string }): string {
  return from.slice(0, 10) === to.slice(0, 10) ? to.slice(11, 16) : shortTime(to)
}
