const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Formats a time in UTC as the back office shows times: "21 Nov 2026, 11:19:44". */
export function utcText(time: number): string {
  return FORMAT.format(time)
}
