import { expiryFits, type PlannedClosure, tradingAt } from '#core/markets/calendar/trading.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { hasSplitBetween, type Split } from '#core/markets/splits/splits.ts'
import { MOST_AHEAD_MS, type Tick } from '#core/markets/tick.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { type BasisPoints, type Money, moneyText, percentNumber } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, SECOND_MS, later } from '#core/time/instant.ts'

/** 5 s: no order is taken on a price that was received so long after its time, nor waits longer for one to catch up. */
export const MAX_ENTRY_LATE_MS = 5_000

/** The terms an order asks for: the same for everyone, frozen in the order when it is accepted. */
export interface Terms {
  readonly id: number
  readonly seconds: number
  readonly minimum: Money
  readonly maximum: Money
  readonly payout: BasisPoints
}

/** What is known when an order's turn has come. Whose order it is and what they own is decided with the money. */
export interface PlacementFacts {
  readonly symbol: (MarketSymbol & { readonly closedReason: string | null; readonly splits: readonly Split[] }) | null
  readonly askedMarketType: MarketType | null
  /** Closed by hand, at once. */
  readonly marketClosedReason: string | null
  readonly plannedClosures: readonly PlannedClosure[]
  readonly terms: Terms | null
  readonly stake: Money
  readonly newest: Tick | null
  /** Its sources cannot be believed just now: see the feeds. */
  readonly isInDoubt: boolean
  readonly slippageGuard: { readonly shown: string; readonly most: string } | null
  /** The payout its user was shown; null when the client does not say. */
  readonly shownPayout: BasisPoints | null
  /** The length its user was shown, in the same way. */
  readonly shownSeconds: number | null
  /** The last moment at which its user wants it. */
  readonly validUntil: Instant | null
  readonly now: Instant
}

export type PlacementRefusal =
  | 'symbol_unknown'
  | 'setting_unknown'
  | 'market_closed'
  | 'symbol_closed'
  | 'expiry_after_close'
  | 'spans_split'
  | 'below_minimum'
  | 'above_maximum'
  | 'price_stale'
  | 'price_moved'
  | 'payout_changed'
  | 'order_expired'

export interface Placement {
  readonly symbol: MarketSymbol
  readonly terms: Terms
  readonly entry: Tick
  readonly openedAt: Instant
  readonly expiresAt: Instant
}

/**
 * Decides whether an order may be taken, by everything that does not depend on whose it is (rule version 1):
 * the entry is the newest accepted tick, not older than the symbol's limit and not of the future; the expiry lies inside the session;
 * no split of the stock takes effect between the entry and the expiry.
 */
export function decidePlacement(facts: PlacementFacts): Result<Placement, PlacementRefusal> {
  const { symbol, terms, stake, newest, validUntil, now } = facts
  // Whatever else is to be said of it: it is too late.
  if (validUntil !== null && now > validUntil) return refuse('order_expired')
  if (symbol === null || (facts.askedMarketType !== null && facts.askedMarketType !== symbol.marketType))
    return refuse('symbol_unknown')
  if (terms === null) return refuse('setting_unknown')
  if (facts.shownSeconds !== null && facts.shownSeconds !== terms.seconds) return refuse('setting_unknown')
  if (facts.marketClosedReason !== null) return refuse('market_closed')
  if (symbol.closedReason !== null) return refuse('symbol_closed', { params: { reason: symbol.closedReason } })
  const trading = tradingAt(symbol.marketType, now, facts.plannedClosures)
  if (!trading.isOpen) return refuse('market_closed')
  if (stake < terms.minimum) return refuse('below_minimum', { params: { value: moneyText(terms.minimum) } })
  if (stake > terms.maximum) return refuse('above_maximum', { params: { value: moneyText(terms.maximum) } })
  const expiresAt = later(now, terms.seconds * SECOND_MS)
  // Entry and exit of an order are prices of one basis. Checked before the close, which says less about why.
  if (hasSplitBetween(symbol.splits, now, expiresAt)) return refuse('spans_split', { params: { symbol: symbol.code } })
  if (!expiryFits(trading, now, expiresAt)) return refuse('expiry_after_close')
  // Nobody gets other terms than those they saw, not even at the moment they change.
  if (facts.shownPayout !== null && facts.shownPayout !== terms.payout) {
    return refuse('payout_changed', { params: { payout: percentNumber(terms.payout) } })
  }
  // After our clock was set back the newest price is of a time to come: what an order would end on may be known already.
  const isStale =
    newest === null ||
    now - newest.time > symbol.maxTickAgeMs ||
    newest.time > later(now, MOST_AHEAD_MS) ||
    // Of before the split: another basis than that of the prices the order would end on.
    hasSplitBetween(symbol.splits, newest.time, now)
  if (isStale || facts.isInDoubt) return refuse('price_stale', { params: { symbol: symbol.code } })
  if (facts.slippageGuard !== null && hasMoved(newest, symbol.decimals, facts.slippageGuard)) {
    return refuse('price_moved', { params: { symbol: symbol.code } })
  }
  return ok({ symbol, terms, entry: newest, openedAt: now, expiresAt })
}

/** Compared with eight decimals more than any price has, so that no guard is rounded in the house's favour. */
const GUARD_DECIMALS = 16

function hasMoved(entry: Tick, decimals: number, guard: { shown: string; most: string }): boolean {
  const shown = parseDecimal(guard.shown, GUARD_DECIMALS)
  const most = parseDecimal(guard.most, GUARD_DECIMALS)
  if (shown === null || most === null) return true
  const entered = BigInt(entry.price) * 10n ** BigInt(GUARD_DECIMALS - decimals)
  const difference = entered > shown ? entered - shown : shown - entered
  return difference > most
}
