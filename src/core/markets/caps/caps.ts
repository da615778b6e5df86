import type { MarketType } from '#core/markets/market.ts'
import { type CapSubject, capSubjectText, NO_CAP, readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { ALL } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { type Money, money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/**
 * The largest sum of profits that the house would pay if all buys, or all sells, won. One number applies to both sides.
 */
export interface Cap extends CapSubject {
  readonly maximum: Money
  readonly since: Instant
  /** The number of the entry that set the cap. */
  readonly n: number
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
