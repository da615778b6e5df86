import { WATERMARK_LIMIT_MS } from '#core/orders/rules/rule-1.ts'
import { later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import { DueIndex, type DueKey } from '#server/trading/engine/due-index.ts'

/** One round decides and settles at most this many expiries, so that a burst cannot block the event loop for long. */
export const MAX_EXPIRIES_PER_ROUND = 500

export interface DueSelectionParts {
  readonly ctx: Pick<Ctx, 'clock' | 'now'>
  readonly ticks: Pick<Ticks, 'watermark'>
  /** Which symbols this node settles. */
  readonly owns: (symbolId: number) => boolean
}

/** Knows the coming expiries, and selects those that a round can settle. */
export class DueSelection {
  readonly #parts: DueSelectionParts
  readonly #index = new DueIndex()

  constructor(parts: DueSelectionParts) {
    this.#parts = parts
  }

  /** The number of expiries that are still to come or undecided. */
  get size(): number {
    return this.#index.size
  }

  add(keys: readonly DueKey[]): void {
    for (const key of keys) this.#index.add(key)
  }

  /** Adds the expiry of an order that was just accepted, when this node settles its symbol. */
  watch(key: DueKey): void {
    if (this.#parts.owns(key.symbolId)) this.#index.add(key)
  }

  /** Adds all open expiries again, because this node has acquired more symbols. */
  addAgain(keys: readonly DueKey[]): void {
    this.add(keys)
    this.#index.forgetRepeats()
  }

  /** Removes and returns expiries that the feed has passed or that waited too long: the soonest of all symbols, up to one round. */
  take(): DueKey[] {
    const { ctx, ticks, owns } = this.#parts
    // With an untrusted clock an order that merely looks overdue would become void.
    if (!ctx.clock.isTrusted()) return []
    const overdue = later(ctx.now(), -WATERMARK_LIMIT_MS)
    const due: DueKey[] = []
    for (const symbolId of this.#index.symbols()) {
      if (!owns(symbolId)) {
        // Another node settles this symbol. If this node acquires it, its expiries are read again.
        this.#index.takeBefore(symbolId, overdue)
        continue
      }
      const watermark = ticks.watermark(symbolId)
      const until = watermark !== null && watermark > overdue ? watermark : overdue
      due.push(...this.#index.takeBefore(symbolId, until, MAX_EXPIRIES_PER_ROUND))
    }
    if (due.length <= MAX_EXPIRIES_PER_ROUND) return due
    due.sort((a, b) => a.expiresAt - b.expiresAt)
    this.add(due.splice(MAX_EXPIRIES_PER_ROUND))
    return due
  }
}
