import { type CivilDay, civilDay, civilDayText, readCivilDay, yearOf } from '#core/markets/calendar/civil-day.ts'

export const PERIOD_KINDS = ['month', 'year', 'range'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]

/** The days of a statement as the user chose them. `to` is the last day. */
export interface ChosenPeriod {
  readonly kind: PeriodKind
  readonly from: string
  readonly to: string
}

/** The number of months that can be chosen, including the current month. Older months are chosen by year or by days. */
const MONTHS = 24
const YEARS = 5

/** Lists the latest months as `2026-11`, newest first. */
export function latestMonths(today: CivilDay): string[] {
  const month = Number(civilDayText(today).slice(5, 7))
  return Array.from({ length: MONTHS }, (_, back) => civilDayText(civilDay(yearOf(today), month - back, 1)).slice(0, 7))
}

/** Lists the latest years, newest first. */
export function latestYears(today: CivilDay): string[] {
  return Array.from({ length: YEARS }, (_, back) => String(yearOf(today) - back))
}

/** Returns the first and the last day of a month such as `2026-11`. */
export function monthPeriod(month: string): ChosenPeriod {
  const [year, number] = month.split('-').map(Number)
  const last = civilDay(year ?? 0, (number ?? 0) + 1, 1) - 1
  return { kind: 'month', from: `${month}-01`, to: civilDayText(last) }
}

export function yearPeriod(year: string): ChosenPeriod {
  return { kind: 'year', from: `${year}-01-01`, to: `${year}-12-31` }
}

/**
 * Returns the query of a period. The query ends before the day after the last day of the period. Null when a day is
 * missing.
 */
export function periodQuery({ from, to }: ChosenPeriod, zone: string) {
  const last = readCivilDay(to)
  return last === null || readCivilDay(from) === null ? null : { from, to: civilDayText(last + 1), zone }
}
export type StatementQuery = NonNullable<ReturnType<typeof periodQuery>>
