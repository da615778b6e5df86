const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** "Fri 27 Nov, 14:30" of an ISO time, in UTC. */
export function shortTime(iso: string): string {
  return TIME.format(new Date(iso))
}

/** The same of the end of something; on the day it began the time alone. */
export function endTime({ from, to }: { readonly from: string; readonly to: string }): string {
  return from.slice(0, 10) === to.slice(0, 10) ? to.slice(11, 16) : shortTime(to)
}
