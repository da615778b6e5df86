import { type MarketType, readMarketType } from '#core/markets/market.ts'
import { ALL } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { type Money, money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** A cap applies to the orders of a symbol that expire within one minute, or to all orders of a symbol, a market or the site. */
export const CAP_SCOPES = ['expiry', 'symbol', 'market', 'site'] as const
export type CapScope = (typeof CAP_SCOPES)[number]

/** The subject of a cap. `key` is the code of a symbol, a market, or `all`. */
export interface CapSubject {
  readonly scope: CapScope
  readonly key: string
}

/** The value of an entry that removes a cap. */
export const NO_CAP = 'none'

/** The largest sum of profits that the house would pay if all buys, or all sells, won. One number applies to both sides. */
export interface Cap extends CapSubject {
  readonly maximum: Money
  readonly since: Instant
  /** The number of the entry that set the cap. */
  readonly n: number
}

/** The subject of the entry of a cap: `expiry_BTC`, `market_us_stocks`, `site_all`. */
export function capSubjectText({ scope, key }: CapSubject): string {
  return `${scope}_${key}`
}

/** Returns null when the text is no subject of a cap. Whether the symbol exists is not checked. */
export function readCapSubject(text: string): CapSubject | null {
  const scope = CAP_SCOPES.find((one) => text.startsWith(`${one}_`))
  if (scope === undefined) return null
  const key = text.slice(scope.length + 1)
  if (scope === 'site') return key === ALL ? { scope, key } : null
  if (scope === 'market') return readMarketType(key) === key ? { scope, key } : null
  return /^[A-Z0-9]{1,12}$/.test(key) ? { scope, key } : null
}

/** Lists the caps in force, by the text of their subject. */
export function capsInForce(history: TermsHistory, at: Instant): ReadonlyMap<string, Cap> {
  const caps = new Map<string, Cap>()
  for (const of of history.subjects('cap')) {
    const entry = history.inForce('cap', of, at)
    const subject = readCapSubject(of)
    if (entry === null || subject === null || entry.value === NO_CAP) continue
    caps.set(of, { ...subject, maximum: money(BigInt(entry.value)), since: entry.appliesAt, n: entry.n })
  }
  return caps
}

/** Whether a cap is in force or announced. */
export function hasCap(history: TermsHistory, at: Instant): boolean {
  return (
    capsInForce(history, at).size > 0 ||
    history.subjects('cap').some((of) => history.coming('cap', of, at).some(({ value }) => value !== NO_CAP))
  )
}

/** The subjects of the caps that an order counts towards. */
export function subjectsOf({ code, marketType }: { readonly code: string; readonly marketType: MarketType }) {
  return {
    expiry: capSubjectText({ scope: 'expiry', key: code }),
    symbol: capSubjectText({ scope: 'symbol', key: code }),
    market: capSubjectText({ scope: 'market', key: marketType }),
    site: capSubjectText({ scope: 'site', key: ALL }),
  }
}
