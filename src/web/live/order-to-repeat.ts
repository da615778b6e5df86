import type { Money } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import { storeOfUser } from '#web/session/store-of-user.ts'

/** A former order whose terms the user wants in the form again. The user still has to send it. */
export interface OrderToRepeat {
  readonly symbol: string
  readonly direction: Direction
  readonly seconds: number
  readonly stake: Money
  /** The payout of the former order, in percent of its stake. */
  readonly payout: number
}

/** The order that the trade screen of its symbol fills in next; null for none. */
export const orderToRepeat = storeOfUser<OrderToRepeat | null>(null)
