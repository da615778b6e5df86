import type { Money } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import type { Placement } from '#core/orders/place-order.ts'
import type { Instant } from '#core/time/instant.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'

/** An order that passed every rule but those about its user: ready for the statements that take it. */
export interface PlannedOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly direction: Direction
  readonly stake: Money
  readonly placement: Placement
  /** When the server had the request, if that is known. Stored to be measured by; nothing goes by it. */
  readonly receivedAt: Instant | null
  /** Where the log ended when it was planned. */
  readonly head: LogHead
}
