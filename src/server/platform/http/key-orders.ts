import type { Money } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'

export type KeyOrderRefusal = 'not_signed_in' | 'key_cap_reached' | 'order_conflict'

export interface KeyOrder {
  readonly userId: string
  readonly clientOrderId: string
  readonly stake: Money
}

/**
 * Places orders of API keys. Each order is recorded as an order of its key and stays within the limits that the owner
 * set for the key.
 */
export interface KeyOrders {
  place<T, R extends string>(
    keyId: string,
    order: KeyOrder,
    place: () => Promise<Result<T, R>>,
  ): Promise<Result<T, R | KeyOrderRefusal>>
}
