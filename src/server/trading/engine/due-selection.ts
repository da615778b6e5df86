import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { HISTORY_AFTER_MS } from '#core/orders/rules/late-evidence.ts'
import { RULES } from '#core/orders/rules/rules.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import { DueIndex, type DueKey, dueKeyText } from '#server/trading/engine/due-index.ts'

/** One round decides and settles at most this many expiries, so that a burst cannot block the event loop for long. */
export const MAX_EXPIRIES_PER_ROUND = 500

/**
 * One round tries again at most 100 expiries that wait for a record. So most of the 500 expiries of a round are other
 * expiries.
 */
const MAX_WAITING_PER_ROUND = 100

export interface DueSelectionParts {
  readonly ctx: Pick<Ctx, 'clock' | 'now'>
  readonly ticks: Pick<Ticks, 'watermark'>
  /** Returns whether this node settles a symbol. */
  readonly owns: (symbolId: number) => boolean
}

/** Knows the coming expiries, and selects those that a round can settle. */
export class DueSelection {
  readonly #parts: DueSelectionParts
  readonly #index = new DueIndex()
  /**
   * Expiries that wait for the record of their source, with the time of the next attempt. The keys are `dueKeyText` of
   * the expiry.
   */
  readonly #waiting = new Map<string, { readonly key: DueKey; readonly until: Instant }>()

  constructor(parts: DueSelectionParts) {
    this.#parts = parts
  }

  /** The number of expiries that are still to come or undecided. */
  get size(): number {
    return this.#index.size + this.#waiting.size
  }

  add(keys: readonly DueKey[]): void {
    for (const key of keys) if (this.#waiting.size === 0 || !this.#waiting.has(dueKeyText(key))) this.#index.add(key)
  }

  /**
   * Puts an undecided expiry back. An expiry that waits for the record of its source is paused, so that it does not
   * delay other expiries.
   */
  putBack(key: DueKey): void {
    const { group, expiresAt } = key
    const isKnown = group === undefined || RULES.has(group.rule)
    if (group === undefined || (isKnown && group.evidence === 'none')) return this.#index.add(key)
    const now = this.#parts.ctx.now()
    this.#waiting.set(dueKeyText(key), { key, until: later(now, isKnown ? pauseMs(now - expiresAt) : MINUTE_MS) })
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

  /**
   * Removes and returns the soonest expiries of all symbols, at most as many as one round settles. Selects expiries
   * that the feed has passed or that waited too long.
   */
  take(): DueKey[] {
    const { ctx, ticks, owns } = this.#parts
    // If the clock is wrong, an order may only look overdue and would become void.
    if (!ctx.clock.isTrusted()) return []
    const overdue = later(ctx.now(), -WATERMARK_LIMIT_MS)
    const recorded = later(ctx.now(), -HISTORY_AFTER_MS)
    this.#endPauses(ctx.now())
    const due: DueKey[] = []
    for (const series of this.#index.series()) {
      const { symbolId, group } = series
      if (!owns(symbolId)) {
        // Another node settles this symbol. If this node acquires it, its expiries are read again.
        this.#index.takeBefore(series, overdue)
        continue
      }
      const watermark = ticks.watermark(symbolId)
      const latest = group?.evidence === 'ids' ? recorded : overdue
      const until = watermark !== null && watermark > latest ? watermark : latest
      due.push(...this.#index.takeBefore(series, until, MAX_EXPIRIES_PER_ROUND))
    }
    if (due.length <= MAX_EXPIRIES_PER_ROUND) return due
    due.sort((a, b) => a.expiresAt - b.expiresAt)
    this.add(due.splice(MAX_EXPIRIES_PER_ROUND))
    return due
  }

  #endPauses(now: Instant): void {
    let count = 0
    for (const [text, { key, until }] of this.#waiting) {
      if (until > now) continue
      if (count === MAX_WAITING_PER_ROUND) return
      count += 1
      this.#waiting.delete(text)
      this.#index.add(key)
    }
  }
}

/**
 * Returns the pause until the next attempt. Pauses are short while the next trade may come at any moment, and long
 * while a provider does not answer.
 */
function pauseMs(lateMs: number): number {
  if (lateMs < 2 * SECOND_MS) return 250
  return lateMs < MINUTE_MS ? SECOND_MS : 5 * SECOND_MS
}
