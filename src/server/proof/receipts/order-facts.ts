import { receiptResult } from '#core/proof/receipt-facts.ts'
import { isPracticeId } from '#core/accounts/practice.ts'
import { currencyOf } from '#core/ledger/transfer.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { BUY, type DecidedResult, type Direction, type VoidReason } from '#core/orders/order.ts'
import {
  type AcceptedFacts,
  type GroupFacts,
  type HeadFacts,
  ownerText,
  type ResultFacts,
  type TickFacts,
} from '#core/proof/receipt-facts.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { DecidingTick } from '#server/trading/engine/due-order.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'

/** The facts of an accepted order, as read from its row. */
export interface AcceptedOrderFacts {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly direction: Direction
  /** The stake in hundredths of the currency. */
  readonly stake: bigint
  readonly payoutBp: number
  readonly ruleVersion: number
  /** Absent for orders of rule 1. */
  readonly group?: PriceGroup | undefined
  readonly termsN: number | null
  readonly openedMs: number
  readonly expiresMs: number
  readonly entry: TickFacts
  readonly head: HeadFacts
}

/** The facts of a settled order, with the price that settled all orders of its symbol and expiry. */
export interface SettledOrderFacts extends AcceptedOrderFacts {
  readonly settledMs: number
  readonly result: DecidedResult
  readonly voidReason: VoidReason | null
  readonly maxTickAgeMs: number
  readonly exit: TickFacts | null
  readonly next: TickFacts | null
  readonly isLate: boolean
  /**
   * The first sequence number of the tick log that proves the price. Null when the proof begins with the exit tick, or
   * when a range of time proves the price.
   */
  readonly sinceSeq: number | null
  readonly watermarkMs: number
  readonly decidedMs: number
  readonly decidedHead: HeadFacts
}

type Named = Pick<MarketSymbol, 'id' | 'code' | 'marketType' | 'decimals'>
type Owned = Pick<AcceptedOrderFacts, 'userId' | 'orderId' | 'stake'>

/** Returns the text that only the order's user gets. Its currency is that of the user's account. */
export function ownerPart({ userId, orderId, stake }: Owned): string {
  return ownerText({ order: orderId, stake: String(stake), currency: currencyOf(userId) })
}

/** Returns the hash that replaces the user in the facts. */
export function ownerHash(order: Owned): string {
  return sha256OfText(ownerPart(order))
}

export function directionWord(direction: Direction): 'buy' | 'sell' {
  return direction === BUY ? 'buy' : 'sell'
}

/** Returns a tick as facts. With `isNumbered` (version 2 of the facts), they contain the provider's trade number. */
export function tickFacts({ seq, price, time, ref }: DecidingTick, isNumbered: boolean): TickFacts {
  return { q: seq, price: Number(price), time_ms: time, ...(isNumbered && { ref: ref ?? null }) }
}

/** Returns the facts that only version 2 has: the price group and the trade terms. */
export function groupFacts(
  terms: { termsHash(n: number): string | null },
  { evidence, source, maxTickAgeMs }: PriceGroup,
  termsN: number | null,
): GroupFacts {
  const hash = termsN === null ? null : terms.termsHash(termsN)
  if (termsN === null || hash === null) throw new Error(`an order refers to unknown trade terms: ${termsN}`)
  return { terms: { n: termsN, hash }, evidence, max_tick_age_ms: maxTickAgeMs, source }
}

export function symbolFacts(symbols: { byId(id: number): Named | null }, id: number) {
  const symbol = symbols.byId(id)
  if (symbol === null) throw new Error(`an order refers to an unknown symbol: ${id}`)
  return { symbol: symbol.code, symbol_id: symbol.id, market: symbol.marketType, decimals: symbol.decimals }
}

type SymbolFacts = ReturnType<typeof symbolFacts>

export function acceptedFacts(order: AcceptedOrderFacts, symbol: SymbolFacts, terms: TermsHashes): AcceptedFacts {
  return { ...symbol, ...commonFacts(order), ...versionFacts(order, terms), kind: `${prefixOf(order)}accepted` }
}

/** The kinds of practice receipts begin with this word, so that no receipt of practice passes as one of money. */
function prefixOf({ userId }: Pick<AcceptedOrderFacts, 'userId'>): 'practice_' | '' {
  return isPracticeId(userId) ? 'practice_' : ''
}

type TermsHashes = { termsHash(n: number): string | null }

function versionFacts({ group, termsN }: AcceptedOrderFacts, terms: TermsHashes) {
  return group === undefined ? { v: 1 as const } : { v: 2 as const, ...groupFacts(terms, group, termsN) }
}

export function resultFacts(order: SettledOrderFacts, symbol: SymbolFacts, terms: TermsHashes): ResultFacts {
  return {
    ...symbol,
    ...commonFacts(order),
    ...versionFacts(order, terms),
    kind: `${prefixOf(order)}result`,
    result: receiptResult(order.result),
    void: order.voidReason,
    max_tick_age_ms: order.maxTickAgeMs,
    exit: order.exit,
    next: order.next,
    ...(order.group && { late: order.isLate }),
    watermark_ms: order.watermarkMs,
    decided_ms: order.decidedMs,
    decided_head: order.decidedHead,
  }
}

function commonFacts(order: AcceptedOrderFacts) {
  return {
    trx: order.trx,
    direction: directionWord(order.direction),
    payout_bp: order.payoutBp,
    rule: order.ruleVersion,
    opened_ms: order.openedMs,
    expires_ms: order.expiresMs,
    entry: order.entry,
    head: order.head,
    owner: ownerHash(order),
  }
}
