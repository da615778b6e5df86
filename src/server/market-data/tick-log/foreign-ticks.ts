import type { Tick } from '#core/markets/tick.ts'
import type { BufferedTick } from '#server/market-data/tick-log/tick-buffer.ts'
import { isSamePrice } from '#server/market-data/tick-log/tick-order-guard.ts'

/** For each symbol, the ticks of the newest source time that another writer logged. */
export class ForeignTicks {
  readonly #newest = new Map<number, Tick[]>()

  /** Adds the next tick of the log. */
  add(tick: Tick): void {
    const newest = this.#newest.get(tick.symbolId)
    if (newest?.[0]?.time === tick.time) newest.push(tick)
    else this.#newest.set(tick.symbolId, [tick])
  }

  /**
   * Whether another writer has logged this same price of the symbol or a later one. Each logged tick is matched once.
   */
  supersedes(tick: BufferedTick): boolean {
    const newest = this.#newest.get(tick.symbolId)
    const time = newest?.[0]?.time
    if (newest === undefined || time === undefined || tick.time > time) return false
    if (tick.time < time) return true
    const same = newest.findIndex((other) => isSamePrice(other, tick))
    if (same >= 0) newest.splice(same, 1)
    return same >= 0
  }
}
