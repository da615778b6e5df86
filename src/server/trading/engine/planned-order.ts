import type { Money } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Placement } from '#core/orders/place-order.ts'
import type { Instant } from '#core/time/instant.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'

/** An order that passed every rule except the rules about its user, ready for the accepting statements. */
export interface PlannedOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly direction: Direction
  readonly stake: Money
  readonly placement: Placement
  /** The maximum age of the price that settles the order. */
  readonly maxTickAgeMs: number
  /**
   * The group of orders that one settlement price settles: rule, source, maximum price age and evidence. Absent under
   * rule 1.
   */
  readonly group?: PriceGroup | undefined
  /** Whether a bot of a demo installation placed the order. Orders of bots count against caps of their own. */
  readonly isBot: boolean
  /**
   * Whether a cap has no room for the order, so that it is refused even when its user's balance and limits cover it.
   */
  readonly isAboveCap?: boolean
  /** When the server received the request, if known. Stored only for measurements; no decision uses it. */
  readonly receivedAt: Instant | null
  /** The newest tick of the log when the order was planned. */
  readonly head: LogHead
}
