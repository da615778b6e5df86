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
