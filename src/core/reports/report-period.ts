import type { CivilDay } from '#core/markets/calendar/civil-day.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { HOUR_MS, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { zoneDayStart } from '#core/time/zone.ts'

/** 400 days: more than a year, so that one report can cover a year and the month before it. */
export const MAX_REPORT_DAYS = 400
/** One hour after its end a period can be closed: transfers that commit late are counted by then. */
export const CLOSABLE_AFTER_MS = HOUR_MS
/**
 * 15 minutes: totals are stored per quarter of an hour, because the days of every present time zone begin at such a
 * time in UTC.
 */
export const SLOT_MS = 15 * MINUTE_MS

/** A period of whole days of a time zone, from `from` to `to`. */
export interface ReportPeriod {
  readonly from: CivilDay
  /** The last day of the period, inclusive. */
  readonly to: CivilDay
  readonly zone: string
}

/** A period with the first instant of each of its days, and the first instant after them. */
export interface PeriodDays extends ReportPeriod {
  readonly starts: readonly Instant[]
  readonly start: Instant
  readonly end: Instant
}

/**
 * Finds the instants at which the days of a period begin. A day that the zone skipped has no length. Refuses a period
 * that ends before it begins or begins later than now, and one of more than 400 days.
 */
export function periodDays(
  period: ReportPeriod,
  now: Instant,
): Result<PeriodDays, 'period_invalid' | 'period_too_long'> {
  const { from, to, zone } = period
  if (to < from) return invalid()
  if (to - from >= MAX_REPORT_DAYS) return refuse('period_too_long', { params: { most: MAX_REPORT_DAYS } })
  const bounds = Array.from({ length: to - from + 2 }, (_, nth) => zoneDayStart(zone, from + nth))
  const [start, end] = [bounds[0], bounds.at(-1)]
  if (start === undefined || end === undefined || start > now || end <= start) return invalid()
  // Offsets of the years before 1972 can have odd seconds.
  if (bounds.some((bound) => bound % SLOT_MS !== 0)) return invalid()
  return ok({ ...period, starts: bounds.slice(0, -1), start, end })
}

const invalid = () => refuse('period_invalid', { field: 'to', params: { variant: 'report' } })

/** The earliest time at which a period can be closed. */
export function closableAt({ end }: Pick<PeriodDays, 'end'>): Instant {
  return later(end, CLOSABLE_AFTER_MS)
}
