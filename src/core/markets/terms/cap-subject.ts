import { readMarketType } from '#core/markets/market.ts'
import { ALL } from '#core/markets/terms/terms-entry.ts'

/**
 * A cap applies to the orders of a symbol that expire within one minute, or to all orders of a symbol, a market or the
 * site.
 */
export const CAP_SCOPES = ['expiry', 'symbol', 'market', 'site'] as const
export type CapScope = (typeof CAP_SCOPES)[number]

/** The subject of a cap. `key` is the code of a symbol, a market, or `all`. */
export interface CapSubject {
  readonly scope: CapScope
  readonly key: string
}

/** The value of an entry that removes a cap. */
export const NO_CAP = 'none'

/** The subject of the entry of a cap: `expiry_BTC`, `market_us_stocks`, `site_all`. */
export function capSubjectText({ scope, key }: CapSubject): string {
  return `${scope}_${key}`
}

/**
 * Parses the subject of a cap. Returns null when the text is no such subject. Does not check whether the symbol exists.
 */
export function readCapSubject(text: string): CapSubject | null {
  const scope = CAP_SCOPES.find((one) => text.startsWith(`${one}_`))
  if (scope === undefined) return null
  const key = text.slice(scope.length + 1)
  if (scope === 'site') return key === ALL ? { scope, key } : null
  if (scope === 'market') return readMarketType(key) === key ? { scope, key } : null
  return /^[A-Z0-9]{1,12}$/.test(key) ? { scope, key } : null
}
