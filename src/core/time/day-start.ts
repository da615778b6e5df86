import { DAY_MS, HOUR_MS, type Instant, instant } from '#core/time/instant.ts'

/** Where a trading day may be said to begin: midnight in Hong Kong (UTC+8 all year) or in UTC. */
export const DAY_STARTS = ['hkt', 'utc'] as const
export type DayStart = (typeof DAY_STARTS)[number]

const AHEAD_OF_UTC_MS: Record<DayStart, number> = { hkt: 8 * HOUR_MS, utc: 0 }

/** The last midnight at or before an instant. */
export function dayStartedAt(start: DayStart, at: Instant): Instant {
  const ahead = AHEAD_OF_UTC_MS[start]
  return instant(Math.floor((at + ahead) / DAY_MS) * DAY_MS - ahead)
}
