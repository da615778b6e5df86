import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { zoneMinute } from '#core/time/zone.ts'

const MINUTES_PER_DAY = 1_440

/** Hours of the day in which messages wait, in minutes since midnight of a time zone. */
export interface QuietHours {
  readonly from: number
  readonly to: number
  readonly zone: string
}

/**
 * Returns when the quiet hours end. Null outside them. On the two days when the clocks change, the result can be an
 * hour early or late, so the caller must ask again at that time.
 */
export function quietUntil({ from, to, zone }: QuietHours, now: Instant): Instant | null {
  const minute = zoneMinute(zone, now)
  const length = minutesBetween(from, to)
  if (minutesBetween(from, minute) >= length) return null
  return later(now, minutesBetween(minute, to) * MINUTE_MS - (now % MINUTE_MS))
}

function minutesBetween(from: number, to: number): number {
  return (to - from + MINUTES_PER_DAY) % MINUTES_PER_DAY
}
