import { DAY_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { CapRefusals } from '#server/trading/engine/open-exposure.queries.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

interface Parts {
  readonly ctx: Pick<Ctx, 'now' | 'log'>
  readonly store: Pick<EngineStore, 'addCapRefusals'>
}

/** Counts refused orders in the database. One statement at a time stores the count of all refused orders that wait. */
export class RefusedOrders {
  readonly #parts: Parts
  #waiting = new Map<string, CapRefusals>()
  #writing: Promise<void> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Resolves when the count is stored or its statement failed. If the statement failed, the count is stored together
   * with the next refused order.
   */
  async add({ direction, placement }: Pick<PlannedOrder, 'direction' | 'placement'>): Promise<void> {
    const day = Math.floor(this.#parts.ctx.now() / DAY_MS)
    const symbolId = placement.symbol.id
    const key = `${day} ${symbolId} ${direction}`
    const orders = (this.#waiting.get(key)?.orders ?? 0) + 1
    this.#waiting.set(key, { day, symbolId, direction, orders })
    await this.#writing
    if (this.#waiting.size > 0) await (this.#writing ??= this.#write())
  }

  async stop(): Promise<void> {
    await this.#writing
    if (this.#waiting.size > 0) await this.#write()
  }

  async #write(): Promise<void> {
    const { ctx, store } = this.#parts
    const batch = this.#waiting
    this.#waiting = new Map()
    try {
      await store.addCapRefusals([...batch.values()])
    } catch (error) {
      ctx.log.error({ err: error }, 'the number of orders that a cap refused could not be stored')
      for (const [key, one] of batch) {
        const orders = (this.#waiting.get(key)?.orders ?? 0) + one.orders
        this.#waiting.set(key, { ...one, orders })
      }
    } finally {
      this.#writing = null
    }
  }
}
