import { type CivilDay, civilDayText, readCivilDay, yearOf } from '#core/markets/calendar/civil-day.ts'

export const FIGURES_PERIODS = ['days_30', 'days_90', 'year', 'all', 'range'] as const
export type FiguresPeriod = (typeof FIGURES_PERIODS)[number]

/** The chosen period. `from` and `to` are the first and the last day of `range`. */
export interface ChosenFigures {
  readonly period: FiguresPeriod
  readonly from: string
  readonly to: string
}

/** Returns the query of a period. Every period except `range` ends today. Null when a day of `range` is missing. */
export function figuresQuery({ period, from, to }: ChosenFigures, today: CivilDay, zone: string) {
  const since = (day: CivilDay) => ({ from: civilDayText(day), zone })
  switch (period) {
    case 'days_30':
      return since(today - 29)
    case 'days_90':
      return since(today - 89)
    case 'year':
      return { from: `${yearOf(today)}-01-01`, zone }
    case 'all':
      return { zone }
    case 'range': {
      const last = readCivilDay(to)
      return last === null || readCivilDay(from) === null ? null : { from, to: civilDayText(last + 1), zone }
    }
  }
}
