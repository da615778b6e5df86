import { isPracticeId } from '#core/accounts/practice.ts'
import { type Cap, capsInForce } from '#core/markets/caps/caps.ts'
import { type ExposedOrder, Exposure, type Room } from '#core/markets/caps/exposure.ts'
import { shareHalfEven } from '#core/money/money.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { RefusedOrders } from '#server/trading/engine/refused-orders.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

export interface CapGateParts {
  readonly ctx: Pick<Ctx, 'now' | 'log' | 'subscribe'>
  readonly catalogue: Pick<MarketCatalogue, 'terms'>
  readonly store: Pick<EngineStore, 'readExposure' | 'addCapRefusals'>
  /** Returns whether no other server accepts orders. */
  readonly isOnlyTaker: () => boolean
}

/** The caps in force from one change of the trade terms until the next. */
interface InForce {
  readonly terms: MarketCatalogue['terms']
  readonly from: Instant
  readonly until: number
  readonly caps: ReadonlyMap<string, Cap>
}

/**
 * A minute. If an order ended without an event, its room is missed for at most a minute: then a refusal makes the gate
 * read the open orders again.
 */
const MAX_AGE_MS = MINUTE_MS

/**
 * Decides whether new orders fit under the caps. The gate reads the open orders from the database, and then counts the
 * open profits in memory. It reads the open orders again after a statement whose outcome is unknown, and when events
 * may have been lost.
 */
export class CapGate {
  readonly #parts: CapGateParts
  readonly #refused: RefusedOrders
  #inForce: InForce | null = null
  #exposure: Exposure | null = null
  #readAt = 0
  /** Whether a statement that this server no longer waits for may still accept an order. */
  #hasStray = true
  /** Orders that ended during a read of the open orders. Null when no read runs. */
  #endedMeanwhile: string[] | null = null
  readonly #stopListening: () => void

  constructor(parts: CapGateParts) {
    this.#parts = parts
    this.#refused = new RefusedOrders(parts)
    this.#stopListening = parts.ctx.subscribe((event) => {
      if (event.kind === 'order-settled') this.release(event.order.orderId)
      else if (event.kind === 'events-missed') this.distrust()
    })
  }

  /** Whether a cap is in force. Without one, nothing is counted. */
  isOn(): boolean {
    const isOn = this.#caps().size > 0
    if (!isOn) this.#exposure = null
    return isOn
  }

  /** Whether another server may accept orders, which this server would not count. */
  isTakenOver(): boolean {
    return !this.#parts.isOnlyTaker()
  }

  /** Whether the open profits are known. */
  isReady(): boolean {
    return this.#exposure !== null
  }

  /** Reads the open profits. Must not run while orders are being accepted. */
  async prepare(): Promise<void> {
    const closedIds: string[] = []
    this.#endedMeanwhile = closedIds
    try {
      const exposure = new Exposure(await this.#parts.store.readExposure({ waits: this.#hasStray }))
      for (const orderId of closedIds) exposure.release(orderId)
      this.#exposure = exposure
      this.#readAt = this.#parts.ctx.now()
      this.#hasStray = false
    } finally {
      this.#endedMeanwhile = null
    }
  }

  /** Makes the gate read the open profits again before the next order. */
  distrust(): void {
    this.#exposure = null
  }

  /**
   * Makes the gate read the open profits again before the next order, after all statements that still run. Call it when
   * the outcome of a statement is unknown, or after another server accepted orders.
   */
  distrustStrays(): void {
    this.#hasStray = true
    this.distrust()
  }

  /** Claims room under the caps for an order that passed every rule except the rules about its user. */
  claim(order: PlannedOrder): Room {
    // Caps do not count practice orders, because the site pays no money for them.
    if (isPracticeId(order.userId)) return 'fits'
    const room = this.#exposure?.claim(exposedOrder(order), this.#caps()) ?? 'unsure'
    if (room === 'fits' || Math.abs(this.#parts.ctx.now() - this.#readAt) < MAX_AGE_MS) return room
    this.distrust()
    return 'unsure'
  }

  /** Notes that an order was accepted, so that its room stays claimed until it ends. */
  open(orderId: string): void {
    this.#exposure?.open(orderId)
  }

  /** Frees the room of an order that was refused or has ended. */
  release(orderId: string): void {
    this.#endedMeanwhile?.push(orderId)
    this.#exposure?.release(orderId)
  }

  /** Counts an order that a cap refused. Resolves when the count is stored. */
  async noteRefused(order: PlannedOrder): Promise<void> {
    // The public numbers of refused orders are about users only. Orders of bots have caps of their own.
    if (!order.isBot) await this.#refused.add(order)
  }

  /** Stores the remaining numbers of refused orders. */
  async stop(): Promise<void> {
    this.#stopListening()
    await this.#refused.stop()
  }

  #caps(): ReadonlyMap<string, Cap> {
    const { terms } = this.#parts.catalogue
    const now = this.#parts.ctx.now()
    const known = this.#inForce
    if (known?.terms === terms && now >= known.from && now < known.until) return known.caps
    const caps = capsInForce(terms, now)
    this.#inForce = { terms, from: now, until: terms.nextChange(now), caps }
    return caps
  }
}

/** Returns the facts of a planned order that the caps need. */
export function exposedOrder({ orderId, direction, stake, placement, isBot }: PlannedOrder): ExposedOrder {
  const { symbol, terms, expiresAt } = placement
  const { code, marketType } = symbol
  return { orderId, code, marketType, direction, profit: shareHalfEven(stake, terms.payout), expiresAt, isBot }
}
