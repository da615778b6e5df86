import type { Tick } from '#core/markets/tick.ts'
import type { Money } from '#core/money/money.ts'
import type { SettledFacts, VoidReason } from '#core/orders/order.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Settled, SettlementPrice } from '#core/orders/settle-order.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'

/** A tick that decides a price. */
export type DecidingTick = Pick<Tick, 'seq' | 'price' | 'time' | 'receivedAt' | 'ref'>

/** A decision ready to be written: the ticks that prove it, or the reason why there is no price. */
export interface PriceRow extends DueKey {
  readonly exit: DecidingTick | null
  readonly next: DecidingTick | null
  /**
   * The first sequence number of the tick log that proves the decision. Null when a whole range of time proves it. Not
   * stored under rule 1.
   */
  readonly sinceSeq?: number | null
  /** Whether the exit tick or the next tick is late evidence. Never true under rule 1. */
  readonly isLate?: boolean
  readonly watermark: Instant | null
  readonly voidReason: VoidReason | null
  /** The maximum age that the price may have at the expiry. */
  readonly maxTickAgeMs: number
  /** The newest tick of the log when the price was decided. */
  readonly head: LogHead
  /** The fencing token of the node that announced the watermark; null with a single node. */
  readonly writerToken: bigint | null
}

/** An open order whose settlement price is stored. */
export interface DueOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly facts: SettledFacts
  /** Absent for orders of rule 1. */
  readonly group?: PriceGroup | undefined
  readonly price: SettlementPrice
  readonly openedAt: Instant
  readonly entrySeq: number
  readonly entryTime: Instant
  readonly entryRef: number | null
  readonly termsN: number | null
  /**
   * The sequence number of the newest logged tick when the order was accepted. Null for orders from before the first
   * receipts.
   */
  readonly headSeq: number | null
}

/** A settlement price that this server has decided and written. */
export interface WrittenPrice extends PriceRow {
  readonly decidedAt: Instant
}

/** A settled order with its facts from before the settlement, and the settlement price of its expiry. */
export interface ClosedOrder {
  readonly order: SettledOrder
  readonly due: DueOrder
  readonly settledAt: Instant
  /**
   * Null when another node wrote the price, or when this node wrote it before a failed attempt. The price then has to
   * be read from the database.
   */
  readonly price: WrittenPrice | null
}

export interface SettledRow {
  readonly userId: string
  readonly orderId: string
  readonly settled: Settled
}

/** The facts about an order that are known only once a batch has settled it. */
export interface CreditedOrder {
  readonly orderId: string
  readonly balanceAfter: Money
  readonly resultNumber: number
}

/** Builds the settled order as the server sends it to the user. */
export function settledOrder(
  due: DueOrder,
  { result, netChange }: Settled,
  { balanceAfter, resultNumber }: CreditedOrder,
): SettledOrder {
  const { userId, orderId, trx, clientOrderId, symbolId, facts, price: exit } = due
  const { direction, stake, entryPrice } = facts
  const exitColumns =
    exit.kind === 'price'
      ? { exitPrice: exit.exitPrice, voidReason: null }
      : { exitPrice: null, voidReason: exit.reason }
  const order = { userId, orderId, trx, clientOrderId, symbolId, direction, stake, entryPrice }
  return { ...order, ...exitColumns, result, resultAmount: netChange, balanceAfter, resultNumber }
}

/**
 * Compares two orders by user. Batches are sorted this way before any row is locked, so that all statements lock in the
 * same order.
 */
export function byUser(a: SettledRow, b: SettledRow): number {
  return a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0
}
