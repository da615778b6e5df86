import type { CivilDay } from '#core/markets/calendar/civil-day.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { zoneDay, zoneDayStart } from '#core/time/zone.ts'

export const MAX_STATEMENT_DAYS = 366

/** The period of a statement, in days of a time zone. */
export interface StatementPeriod {
  readonly from: CivilDay
  /** The day after the last day of the period. Null: until now. */
  readonly to: CivilDay | null
  readonly zone: string
}

/** The period of a statement as instants. `to` is null when the period reaches to now. */
export interface PeriodInstants {
  readonly from: Instant
  readonly to: Instant | null
}

/** Converts a period to instants. Refuses a period that is empty, too long or begins later than now. */
export function periodInstants(
  { from, to, zone }: StatementPeriod,
  now: Instant,
): Result<PeriodInstants, 'period_invalid'> {
  const endDay = to ?? zoneDay(zone, now) + 1
  if (from >= endDay || endDay - from > MAX_STATEMENT_DAYS) return refuse('period_invalid')
  const begins = zoneDayStart(zone, from)
  if (begins > now) return refuse('period_invalid')
  const ends = zoneDayStart(zone, endDay)
  // Empty: a zone that moved across the date line skipped the days of this period.
  if (ends <= begins) return refuse('period_invalid')
  return ok({ from: begins, to: ends > now ? null : ends })
}
