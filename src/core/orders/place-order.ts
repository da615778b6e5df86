import { expiryFits, type PlannedClosure, tradingAt } from '#core/markets/calendar/trading.ts'
import { type Maintenance, maintenanceRefusal } from '#core/markets/maintenance.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { hasSplitBetween, type Split } from '#core/markets/splits/splits.ts'
import { MAX_CLOCK_SKEW_MS, type Tick } from '#core/markets/tick.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { type BasisPoints, type Money, moneyText, percentNumber } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, SECOND_MS, later, minuteText } from '#core/time/instant.ts'

/**
 * 5 s: an order is refused if its entry price was received more than 5 s after the source time of the price. An order
 * waits at most 5 s for a newer price.
 */
export const MAX_ENTRY_LATE_MS = 5_000

/** The trade terms of an order: the same for all users, and stored with the order when it is accepted. */
export interface Terms {
  readonly id: number
  readonly seconds: number
  readonly minimum: Money
  readonly maximum: Money
  readonly payout: BasisPoints
  /** The number of the announced entry that names the payout. */
  readonly termsN: number
  /** The version of the rules under which the order is accepted. */
  readonly rule: number
}

/** The facts at the moment an order is processed. The user and the balance are checked later, with the transfer. */
export interface PlacementFacts {
  readonly symbol: (MarketSymbol & { readonly closedReason: string | null; readonly splits: readonly Split[] }) | null
  readonly requestedMarketType: MarketType | null
  /** The reason when staff closed the market manually. */
  readonly marketClosedReason: string | null
  readonly plannedClosures: readonly PlannedClosure[]
  readonly maintenance: readonly Maintenance[]
  readonly terms: Terms | null
  readonly stake: Money
  readonly newest: Tick | null
  /** Whether new sources of the symbol are announced but not yet in effect. */
  readonly hasPendingSources: boolean
  /** Why the symbol temporarily accepts no orders. */
  readonly pause: 'too_many_voids' | 'record_unread' | null
  /** Whether the price of the symbol is suspect now, for example because its sources disagree (see `SourceArbiter`). */
  readonly isInDoubt: boolean
  readonly slippageGuard: { readonly shown: string; readonly maxDistance: string } | null
  /** The payout that the app displayed to the user. Null when the client does not send it. */
  readonly shownPayout: BasisPoints | null
  /** The duration that the app displayed to the user. Null when the client does not send it. */
  readonly shownSeconds: number | null
  /** The instant after which the user no longer wants the order. */
  readonly validUntil: Instant | null
  readonly now: Instant
}

export type PlacementRefusal =
  | 'symbol_unknown'
  | 'setting_unknown'
  | 'market_closed'
  | 'symbol_closed'
  | 'maintenance_planned'
  | 'maintenance_now'
  | 'trading_paused'
  | 'expiry_after_close'
  | 'spans_split'
  | 'below_minimum'
  | 'above_maximum'
  | 'price_stale'
  | 'sources_pending'
  | 'too_many_voids'
  | 'record_unread'
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
 * Decides whether an order may be accepted, by everything that does not depend on its user (rule version 1):
 * - The entry is the newest accepted tick, neither older than the symbol's limit nor ahead of the clock.
 * - The expiry is inside the session.
 * - No split of the stock takes effect between entry and expiry.
 */
export function decidePlacement(facts: PlacementFacts): Result<Placement, PlacementRefusal> {
  const { symbol, terms, stake, newest, validUntil, now } = facts
  // An order that is too late is refused as expired before any other check.
  if (validUntil !== null && now > validUntil) return refuse('order_expired')
  if (symbol === null || (facts.requestedMarketType !== null && facts.requestedMarketType !== symbol.marketType))
    return refuse('symbol_unknown')
  if (terms === null) return refuse('setting_unknown')
  if (facts.shownSeconds !== null && facts.shownSeconds !== terms.seconds) return refuse('setting_unknown')
  const expiresAt = later(now, terms.seconds * SECOND_MS)
  const paused = maintenanceRefusal(facts.maintenance, now, expiresAt)
  if (paused !== null) {
    return refuse(paused.refusal, paused.at === null ? {} : { params: { time: minuteText(paused.at) } })
  }
  if (facts.marketClosedReason !== null) return refuse('market_closed')
  if (symbol.closedReason !== null) return refuse('symbol_closed', { params: { reason: symbol.closedReason } })
  if (facts.pause !== null) return refuse(facts.pause, { params: { symbol: symbol.code } })
  const trading = tradingAt(symbol.marketType, now, facts.plannedClosures)
  if (!trading.isOpen) return refuse('market_closed')
  if (stake < terms.minimum) return refuse('below_minimum', { params: { value: moneyText(terms.minimum) } })
  if (stake > terms.maximum) return refuse('above_maximum', { params: { value: moneyText(terms.maximum) } })
  // Entry and exit prices must have the same basis. A split is checked before the session end, as it gives the more
  // precise reason.
  if (hasSplitBetween(symbol.splits, now, expiresAt)) return refuse('spans_split', { params: { symbol: symbol.code } })
  if (!expiryFits(trading, now, expiresAt)) return refuse('expiry_after_close')
  // No user gets terms that differ from the displayed terms, not even at the moment of a change.
  if (facts.shownPayout !== null && facts.shownPayout !== terms.payout) {
    return refuse('payout_changed', { params: { payout: percentNumber(terms.payout) } })
  }
  if (facts.hasPendingSources) return refuse('sources_pending', { params: { symbol: symbol.code } })
  // After our clock was set back, the newest price lies in the future. The exit price of an order could then already be
  // known.
  const isStale =
    newest === null ||
    now - newest.time > symbol.maxTickAgeMs ||
    newest.time > later(now, MAX_CLOCK_SKEW_MS) ||
    // A price from before a split has another basis than the prices that settle the order.
    hasSplitBetween(symbol.splits, newest.time, now)
  if (isStale || facts.isInDoubt) return refuse('price_stale', { params: { symbol: symbol.code } })
  if (facts.slippageGuard !== null && hasMoved(newest, symbol.decimals, facts.slippageGuard)) {
    return refuse('price_moved', { params: { symbol: symbol.code } })
  }
  return ok({ symbol, terms, entry: newest, openedAt: now, expiresAt })
}

/** 16 decimals. Prices of clients with more decimals are refused, not rounded, so no rounding can favour the house. */
const GUARD_DECIMALS = 16

function hasMoved(entry: Tick, decimals: number, guard: { shown: string; maxDistance: string }): boolean {
  const shown = parseDecimal(guard.shown, GUARD_DECIMALS)
  const maxDistance = parseDecimal(guard.maxDistance, GUARD_DECIMALS)
  if (shown === null || maxDistance === null) return true
  const entered = BigInt(entry.price) * 10n ** BigInt(GUARD_DECIMALS - decimals)
  const difference = entered > shown ? entered - shown : shown - entered
  return difference > maxDistance
}
