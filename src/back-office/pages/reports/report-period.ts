import { civilDayText, readCivilDay, yearOf } from '#core/markets/calendar/civil-day.ts'
import { instant } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'

export const PRESETS = ['', 'day', 'yesterday', 'week', 'last_month', 'own'] as const

/** The period of a page: its first and last day as text, in a time zone. */
export interface ShownPeriod {
  readonly from: string
  readonly to: string
  readonly zone: string
}

/**
 * Returns the first and last day of a preset, or of the current month for an unknown or empty preset. In the preset
 * `own`, a missing day counts as today.
 */
export function periodOf(preset: string, { from, to, zone }: ShownPeriod, now: number): ShownPeriod {
  const today = zoneDay(zone, instant(now))
  const days = (first: number, last: number): ShownPeriod => ({
    from: civilDayText(first),
    to: civilDayText(last),
    zone,
  })
  if (preset === 'day') return days(today, today)
  if (preset === 'yesterday') return days(today - 1, today - 1)
  if (preset === 'week') return days(today - 6, today)
  if (preset === 'own') return days(readCivilDay(from) ?? today, readCivilDay(to) ?? today)
  const month = firstOfMonth(today)
  return preset === 'last_month' ? days(firstOfMonth(month - 1), month - 1) : days(month, today)
}

function firstOfMonth(day: number): number {
  return readCivilDay(`${yearOf(day)}-${civilDayText(day).slice(5, 7)}-01`) ?? day
}

/** Lists the time zones to choose from: UTC, the zone of the browser, and all other zones that the browser knows. */
export function zones(): string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [...new Set([own, ...Intl.supportedValuesOf('timeZone')])].filter((zone) => zone !== 'UTC')
}
