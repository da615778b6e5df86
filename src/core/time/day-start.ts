import { DAY_MS, HOUR_MS, type Instant, instant } from '#core/time/instant.ts'

/** The time zones whose midnight can start a trading day: Hong Kong (UTC+8 all year) or UTC. */
export const DAY_STARTS = ['hkt', 'utc'] as const
export type DayStart = (typeof DAY_STARTS)[number]

const UTC_OFFSET_MS: Record<DayStart, number> = { hkt: 8 * HOUR_MS, utc: 0 }

/** The last midnight at or before an instant. */
export function dayStartedAt(start: DayStart, at: Instant): Instant {
  const offsetMs = UTC_OFFSET_MS[start]
  return instant(Math.floor((at + offsetMs) / DAY_MS) * DAY_MS - offsetMs)
}
