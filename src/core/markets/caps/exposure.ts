import { type Cap, subjectsOf } from '#core/markets/caps/caps.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Money } from '#core/money/money.ts'
import type { Direction } from '#core/orders/order.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/** The fields of an order that a cap depends on. The user is not one of them, so caps treat all users alike. */
export interface ExposedOrder {
  readonly orderId: string
  readonly code: string
  readonly marketType: MarketType
  readonly direction: Direction
  /** The amount that the house pays if the order wins. */
  readonly profit: Money
  readonly expiresAt: Instant
  /** Whether a bot of a demo placed the order. Orders of bots have separate sums. */
  readonly isBot: boolean
}

/**
 * - `fits`: the profit of the order is reserved under all its caps from now on.
 * - `full`: the order is above a cap, even if all orders that are being accepted are refused.
 * - `unsure`: the order is above a cap unless some of the orders that are being accepted are refused.
 */
export type Room = 'fits' | 'full' | 'unsure'

interface Sum {
  /** The sum of the profits of open orders. */
  open: bigint
  /** The sum of the profits of orders that are being accepted. */
  pending: bigint
}

/** The sums of the profits of open orders, by cap and side. Opening or ending the same order again changes nothing. */
export class Exposure {
  readonly #sums = new Map<string, Sum>()
  readonly #orders = new Map<string, { readonly order: ExposedOrder; isOpen: boolean }>()

  constructor(open: readonly ExposedOrder[] = []) {
    for (const order of open) {
      this.#orders.set(order.orderId, { order, isOpen: true })
      for (const { key } of sidesOf(order)) this.#sumOf(key).open += order.profit
    }
  }

  /**
   * Reserves the profit of an order that is being accepted under all caps of the order. Reserves nothing unless the
   * result is `fits`.
   */
  claim(order: ExposedOrder, caps: ReadonlyMap<string, Pick<Cap, 'maximum'>>): Room {
    const rooms = sidesOf(order).map(({ subject, key }) => roomFor(order, caps.get(subject), this.#sums.get(key)))
    if (rooms.includes('full')) return 'full'
    if (rooms.includes('unsure')) return 'unsure'
    this.#orders.set(order.orderId, { order, isOpen: false })
    for (const { key } of sidesOf(order)) this.#sumOf(key).pending += order.profit
    return 'fits'
  }

  /** Records that an order whose profit is reserved was accepted and is now open. */
  open(orderId: string): void {
    const found = this.#orders.get(orderId)
    if (found === undefined || found.isOpen) return
    found.isOpen = true
    for (const { key } of sidesOf(found.order)) {
      const sum = this.#sumOf(key)
      sum.open += found.order.profit
      sum.pending -= found.order.profit
    }
  }

  /** Subtracts the profit of an order that was refused, settled or sold from the sums of its caps. */
  release(orderId: string): void {
    const found = this.#orders.get(orderId)
    if (found === undefined) return
    this.#orders.delete(orderId)
    for (const { key } of sidesOf(found.order)) {
      const sum = this.#sumOf(key)
      if (found.isOpen) sum.open -= found.order.profit
      else sum.pending -= found.order.profit
      if (sum.open === 0n && sum.pending === 0n) this.#sums.delete(key)
    }
  }

  #sumOf(key: string): Sum {
    const sum = this.#sums.get(key) ?? { open: 0n, pending: 0n }
    this.#sums.set(key, sum)
    return sum
  }
}

function roomFor({ profit }: ExposedOrder, cap: Pick<Cap, 'maximum'> | undefined, sum: Sum | undefined): Room {
  if (cap === undefined) return 'fits'
  const open = (sum?.open ?? 0n) + profit
  if (open > cap.maximum) return 'full'
  return open + (sum?.pending ?? 0n) > cap.maximum ? 'unsure' : 'fits'
}

/** The sums that an order counts towards, each with the subject of its cap. */
function sidesOf({ code, marketType, direction, expiresAt, isBot }: ExposedOrder) {
  const { expiry, symbol, market, site } = subjectsOf({ code, marketType })
  const side = `${direction} ${isBot ? 'bots' : 'users'}`
  return [
    { subject: expiry, key: `${expiry} ${side} ${Math.floor(expiresAt / MINUTE_MS)}` },
    { subject: symbol, key: `${symbol} ${side}` },
    { subject: market, key: `${market} ${side}` },
    { subject: site, key: `${site} ${side}` },
  ]
}
