import type { Tick } from '#core/markets/tick.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { CandleStore } from '#server/market-data/candles/candle-store.ts'
import type { GapTracker } from '#server/market-data/tick-log/gap-tracker.ts'
import type { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import type { Committed } from '#server/market-data/tick-log/tick-log.ts'
import type { HistoryUpdates } from '#server/market-data/ticks/history-updates.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'
import type { TickBatch } from '#server/market-data/ticks.ts'

export interface MemoryUpdaterParts {
  readonly ctx: Pick<Ctx, 'now'>
  readonly states: SymbolStates
  readonly candles: CandleStore
  readonly coverage: LogCoverage
  readonly gaps: GapTracker
  readonly history: HistoryUpdates
  readonly isLeader: () => boolean
  readonly onBatch: (batch: TickBatch) => void
}

/** Applies each commit of the log to the state in memory, in one step, so that no reader sees half a batch. */
export class MemoryUpdater {
  readonly #parts: MemoryUpdaterParts
  #lastMessageAt: Instant | null = null

  constructor(parts: MemoryUpdaterParts) {
    this.#parts = parts
  }

  /**
   * When this server last applied a message of the log's writer; null before the first. A message may contain no ticks
   * and no heartbeats.
   */
  get lastMessageAt(): Instant | null {
    return this.#lastMessageAt
  }

  apply({ ticks, heartbeats, floor }: Committed): void {
    const { ctx, states, candles, coverage, history, onBatch } = this.#parts
    const moved = new Set<number>()
    this.#lastMessageAt = ctx.now()
    for (const tick of ticks) this.#accept(tick, moved)
    for (const [symbolId, time] of heartbeats) this.#raise(symbolId, time, moved)
    for (const { id } of states.followed) {
      // Without a message from the source since the start, it is unknown which prices the last bar lacks.
      const through = Math.max(states.get(id)?.watermark ?? 0, coverage.isWaiting(id) ? 0 : (floor ?? 0))
      candles.closeThrough(id, instant(through))
    }
    history.passTime(this.#lastMessageAt)
    if (moved.size > 0) onBatch({ ticks, moved })
  }

  #accept(tick: Tick, moved: Set<number>): void {
    this.#parts.states.get(tick.symbolId)?.push(tick)
    this.#parts.candles.fold(tick)
    moved.add(tick.symbolId)
    this.#raise(tick.symbolId, tick.time, moved)
  }

  #raise(symbolId: number, time: Instant, moved: Set<number>): void {
    if (this.#parts.states.get(symbolId)?.raise(time) === false) return
    moved.add(symbolId)
    this.#parts.gaps.advance(symbolId, time)
    if (!this.#parts.isLeader()) this.#parts.coverage.advance(symbolId, time)
  }
}
