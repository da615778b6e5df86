/** The currencies in which amounts can be displayed, in addition to the base currency. */
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

/** The approximate value of one unit of the base currency. For display only: no transfer uses such a rate. */
export interface DisplayRate {
  readonly currency: DisplayCurrency
  readonly rate: number
  /** `market`: from a pair traded here. `indicative`: set by staff, or 1 for USD. */
  readonly source: 'market' | 'indicative'
}

/** Approximate rates per US dollar set by staff, by currency. */
export type IndicativeRates = Readonly<Partial<Record<DisplayCurrency, number | undefined>>>

const DIGITS = 6

/**
 * Lists the known display rates. The base currency counts as one US dollar. A rate from a traded pair takes precedence
 * over one set by staff. A currency with neither is left out.
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

/** The two pairs that give the rate of a currency to the US dollar: direct and inverse. */
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
