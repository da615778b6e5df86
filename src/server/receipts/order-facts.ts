import type { MarketSymbol } from '#core/markets/market.ts'
import { BUY, type Direction, type OrderResult, type VoidReason } from '#core/orders/order.ts'
import {
  type AcceptedFacts,
  type HeadFacts,
  ownerText,
  type ResultFacts,
  type TickFacts,
} from '#core/proof/receipt-facts.ts'
import { sha256OfText } from '#server/sha256.ts'

/** An order as it was taken, from memory or from its row: both give the same facts. */
export interface TakenOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly direction: Direction
  /** In hundredths. */
  readonly stake: bigint
  readonly payoutBp: number
  readonly ruleVersion: number
  readonly openedMs: number
  readonly expiresMs: number
  readonly entry: TickFacts
  readonly head: HeadFacts
}

/** How it ended, and the price that all orders of its symbol and expiry ended by. */
export interface EndedOrder extends TakenOrder {
  readonly settledMs: number
  readonly result: OrderResult
  readonly voidReason: VoidReason | null
  readonly maxTickAgeMs: number
  readonly exit: TickFacts | null
  readonly next: TickFacts | null
  readonly watermarkMs: number
  readonly decidedMs: number
  readonly decidedHead: HeadFacts
}

type Named = Pick<MarketSymbol, 'id' | 'code' | 'marketType' | 'decimals'>

export function ownerPart({ orderId, stake }: Pick<TakenOrder, 'orderId' | 'stake'>, currency: string): string {
  return ownerText({ order: orderId, stake: String(stake), currency })
}

export function acceptedFacts(order: TakenOrder, symbol: Named, currency: string): AcceptedFacts {
  return {
    v: 1,
    kind: 'accepted',
    trx: order.trx,
    symbol: symbol.code,
    symbol_id: symbol.id,
    market: symbol.marketType,
    decimals: symbol.decimals,
    direction: order.direction === BUY ? 'buy' : 'sell',
    payout_bp: order.payoutBp,
    rule: order.ruleVersion,
    opened_ms: order.openedMs,
    expires_ms: order.expiresMs,
    entry: order.entry,
    head: order.head,
    owner: sha256OfText(ownerPart(order, currency)),
  }
}

/** Each key by itself: to spread the facts above takes longer than all the rest. */
export function resultFacts(order: EndedOrder, symbol: Named, currency: string): ResultFacts {
  const taken = acceptedFacts(order, symbol, currency)
  return {
    v: 1,
    kind: 'result',
    trx: taken.trx,
    symbol: taken.symbol,
    symbol_id: taken.symbol_id,
    market: taken.market,
    decimals: taken.decimals,
    direction: taken.direction,
    payout_bp: taken.payout_bp,
    rule: taken.rule,
    opened_ms: taken.opened_ms,
    expires_ms: taken.expires_ms,
    entry: taken.entry,
    head: taken.head,
    owner: taken.owner,
    result: WORDS[order.result],
    void: order.voidReason,
    max_tick_age_ms: order.maxTickAgeMs,
    exit: order.exit,
    next: order.next,
    watermark_ms: order.watermarkMs,
    decided_ms: order.decidedMs,
    decided_head: order.decidedHead,
  }
}

const WORDS = { 1: 'win', 2: 'lose', 3: 'draw' } as const
