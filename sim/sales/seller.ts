import { type Money, money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import type { SaleOrderRequest } from '#server/trading/sales/sale-desk.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Random } from '../kernel/random.ts'
import type { SimNode } from '../simulation/sim-node.ts'
import { worthOf } from './sale-market.ts'
import { FIVE_MINUTES } from './sale-plan.ts'

export const STAKE = money(10_000n)
/** Informed sellers act when the delayed price is better by this share of the stake. */
const WORTH_IT = 0.06
const MIN_AGE_MS = 10_500
const MIN_LEFT_MS = 31_000
const MAX_ORDERS = 8
const NETWORK_MS = 20
const PATIENCE_MS = 20_000

/** The surroundings of a seller: the market, and the server that takes requests. */
interface Surroundings {
  readonly now: number
  readonly kernel: Kernel
  readonly auditor: Auditor
  readonly market: { readonly units: number }
  /** The newest price that our sources have reported. */
  readonly reportedUnits: number
  ask<T>(work: (node: SimNode) => Promise<T> | undefined): Promise<T | undefined>
  sell(request: SaleOrderRequest, worth: number): void
}

interface Held {
  readonly order: AcceptedOrder
  /** When an uninformed seller tries to sell the order. */
  readonly sellAt: number
  tries: number
}

/**
 * A user who places five-minute orders and sells them back: at a random moment, or when the true price is known to be
 * worse.
 */
export class Seller {
  readonly userId: string
  readonly #life: Surroundings
  readonly #random: Random
  readonly #isInformed: boolean
  readonly #held = new Map<string, Held>()
  #placedCount = 0
  #saleCount = 0
  #isPlacing = false

  constructor(life: Surroundings, userId: string, { random, isInformed }: { random: Random; isInformed: boolean }) {
    this.#life = life
    this.userId = userId
    this.#random = random
    this.#isInformed = isInformed
  }

  /** Acts on a new price of the market. */
  onPrice(mayPlace: boolean): void {
    const { now } = this.#life
    for (const [id, { order }] of this.#held) if (now > order.expiresAt + PATIENCE_MS) this.#held.delete(id)
    if (mayPlace && !this.#isPlacing && this.#held.size < MAX_ORDERS && this.#random.chance(0.1)) void this.#place()
    for (const held of this.#held.values()) {
      if (this.#isInformed ? this.#isTooGood(held) : now >= held.sellAt && this.#random.chance(0.04)) this.#sell(held)
    }
  }

  /** Notes that an order has ended. */
  ended(orderId: string): void {
    this.#held.delete(orderId)
  }

  #isTooGood({ order, tries }: Held): boolean {
    const { now, market, reportedUnits } = this.#life
    const left = order.expiresAt - now
    if (tries > 0 || now < order.openedAt + MIN_AGE_MS || left < MIN_LEFT_MS) return false
    const facts = factsOf(order)
    return worthOf(facts, reportedUnits, left) - worthOf(facts, market.units, left) >= WORTH_IT
  }

  async #place(): Promise<void> {
    const { auditor } = this.#life
    this.#isPlacing = true
    const clientOrderId = `${this.userId.slice(-4)}-${(this.#placedCount += 1)}`
    const direction = this.#random.chance(0.5) ? BUY : SELL
    const request = {
      userId: this.userId,
      clientOrderId,
      direction,
      tradeSettingId: FIVE_MINUTES.id,
      stake: STAKE,
      symbol: BTC.code,
      marketType: null,
      slippageGuard: null,
    }
    const { id: settingId } = FIVE_MINUTES
    auditor.requests.ask(this.userId, clientOrderId, {
      direction,
      stake: STAKE,
      settingId,
      symbolId: BTC.id,
      guard: null,
    })
    const placed = await this.#life.ask((node) => node.engines[0]?.place(request))
    this.#isPlacing = false
    if (placed?.ok !== true) return
    const order = placed.value
    // Some requests are too early, too late, or after the expiry.
    const sellAt = order.openedAt + this.#random.integer(0, 310_000)
    this.#held.set(order.orderId, { order, sellAt, tries: 0 })
  }

  #sell(held: Held): void {
    held.tries += 1
    const { order } = held
    this.#life.kernel.after(NETWORK_MS, () => {
      const clientSaleId = `sale-${(this.#saleCount += 1)}`
      const least = this.#isInformed ? money(1n) : this.#least()
      const worth = worthOf(factsOf(order), this.#life.market.units, order.expiresAt - this.#life.now)
      this.#life.sell({ userId: this.userId, orderId: order.orderId, clientSaleId, least }, worth)
      // Sends the same request twice at the same moment, and then another request for the same order.
      if (this.#isInformed || !this.#random.chance(0.2)) return
      this.#life.sell({ userId: this.userId, orderId: order.orderId, clientSaleId, least }, worth)
      this.#life.sell({ userId: this.userId, orderId: order.orderId, clientSaleId: `${clientSaleId}-b`, least }, worth)
    })
  }

  #least(): Money {
    return money(BigInt(this.#random.pick([1, 100, 9_000, 12_000])))
  }
}

function factsOf({ direction, entryPrice, payout }: AcceptedOrder) {
  return { isBuy: direction === BUY, entry: entryPrice, payout: payout / 10_000 }
}
