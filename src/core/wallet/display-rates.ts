/** The currencies that amounts can be shown in besides the base currency. */
export const DISPLAY_CURRENCIES = [
  'USD',
  'CNY',
  'RUB',
  'JPY',
  'EUR',
  'THB',
  'VND',
  'IDR',
  'PHP',
  'INR',
  'ARS',
  'SAR',
  'TRY',
  'AED',
  'IQD',
] as const
export type DisplayCurrency = (typeof DISPLAY_CURRENCIES)[number]

export function readDisplayCurrency(text: string | null | undefined): DisplayCurrency | null {
  return DISPLAY_CURRENCIES.find((currency) => currency === text) ?? null
}

/** What one unit of the base currency is about worth. For showing only: nothing is ever booked at such a rate. */
export interface DisplayRate {
  readonly currency: DisplayCurrency
  readonly rate: number
  /** `market`: from a pair that is traded here; `indicative`: as the operator set it, or one to one for USD. */
  readonly source: 'market' | 'indicative'
}

/** What the operator says a US dollar is about worth, by currency. */
export type IndicativeRates = Readonly<Partial<Record<DisplayCurrency, number | undefined>>>

const DIGITS = 6

/**
 * The rates there are. The base currency is counted as one US dollar. A pair that is traded here counts before what
 * the operator set; a currency with neither is left out.
 */
export function displayRates(priceOf: (pair: string) => number | null, indicative: IndicativeRates): DisplayRate[] {
  return DISPLAY_CURRENCIES.flatMap((currency): DisplayRate[] => {
    if (currency === 'USD') return [{ currency, rate: 1, source: 'indicative' }]
    const market = perDollar(currency, priceOf)
    if (market !== null) return [{ currency, rate: rounded(market), source: 'market' }]
    const set = indicative[currency]
    return set !== undefined && set > 0 ? [{ currency, rate: rounded(set), source: 'indicative' }] : []
  })
}

/** The pairs that say what a dollar is worth in a currency: counted in it, or the other way round. */
export function pairsOf(currency: string): [direct: string, inverse: string] {
  return [`USD${currency}`, `${currency}USD`]
}

function perDollar(currency: string, priceOf: (pair: string) => number | null): number | null {
  const [direct, inverse] = pairsOf(currency).map(priceOf)
  if (direct) return direct
  return inverse ? 1 / inverse : null
}

function rounded(rate: number): number {
  return Number(rate.toPrecision(DIGITS))
}
