import type { ReportBreakdown, ReportDimension } from '#contract/back-office/reports.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { t } from '#back-office/i18n/t.ts'
import { durationText } from '#back-office/terms/duration-text.ts'

export const WHOSE = ['people', 'bots', 'both'] as const
export type Whose = (typeof WHOSE)[number]

/** Picks the figures of users or bots, or adds both in whole cents. */
export function figureOf({ people, bots }: { readonly people: number; readonly bots: number }, whose: Whose): number {
  if (whose !== 'both') return whose === 'people' ? people : bots
  return (Math.round(people * 100) + Math.round(bots * 100)) / 100
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** Returns the name of a row of a breakdown. */
export function rowName(dimension: ReportDimension, { value, name }: ReportBreakdown['rows'][number]): string {
  if (value === '') return t(`reports.without_${dimension}`)
  if (dimension === 'length') return durationText(Number(value))
  if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? (COUNTRIES.of(value) ?? value) : value
  const market = dimension === 'market' ? MARKET_TYPES.find((one) => one === value) : undefined
  return market === undefined ? name : t(`markets.${market}`)
}
