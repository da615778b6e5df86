import { barOpenTime } from '#core/markets/candle.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { CandleStore } from '#server/market-data/candles/candle-store.ts'
import type { HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import type { SymbolRecovery } from '#server/market-data/ticks/symbol-recovery.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'
import type { ClosedCandle } from '#server/market-data/ticks.ts'

export interface HistoryUpdatesParts {
  readonly ctx: Ctx
  readonly states: SymbolStates
  readonly candles: CandleStore
  readonly recovery: SymbolRecovery
  /** Called when candles of the past have changed. */
  readonly onHistoryChanged: (range: HistoryRange) => void
  /** Called when the figures of a symbol's day were computed again. */
  readonly onDayKnown: (symbolId: number) => void
}

/** Brings open bars and the day's figures up to date when more of the past has become known. */
export class HistoryUpdates {
  readonly #parts: HistoryUpdatesParts
  /** The current minute. When it ends, its missed prices may have become known. */
  #minute: Instant
  #rebuilding: Promise<void> = Promise.resolve()

  constructor(parts: HistoryUpdatesParts) {
    this.#parts = parts
    this.#minute = barOpenTime(parts.ctx.now(), '1m')
  }

  /** Drops cached candles of the past, and reports the change. */
  invalidate(range: HistoryRange): void {
    const { candles, onHistoryChanged } = this.#parts
    candles.forgetPast(range.symbolId, range.interval)
    onHistoryChanged(range)
  }

  /** Drops cached candles of all intervals, and reports the changes. */
  invalidateAll(range: Omit<HistoryRange, 'interval'>): void {
    for (const interval of CHART_INTERVALS) this.invalidate({ ...range, interval })
  }

  /** Takes over history that the feed has learned. */
  feedChanged(range: HistoryRange): void {
    const { ctx, states } = this.#parts
    this.invalidate(range)
    const { symbolId, interval, until } = range
    const since = states.get(symbolId)?.day.knownSince() ?? null
    // When the day's window is complete, a range before it changes nothing.
    if (since !== null && until <= since && since <= ctx.now() - DAY_MS) return
    if ((interval === '5m' || interval === '1m') && until >= ctx.now() - 2 * DAY_MS) void this.fillDay(symbolId)
  }

  /** Adds a closed bar to the day's figures, from other history where our own ticks do not cover it. */
  candleClosed({ symbolId, interval, candle }: ClosedCandle, isWhole: boolean): void {
    if (interval !== '5m') return
    if (isWhole) this.#parts.states.get(symbolId)?.day.add(candle)
    else void this.fillDay(symbolId)
  }

  /** Fills the bars that ended in a hole, once per minute: the missed part of a bar may be known once it has ended. */
  passTime(now: Instant): void {
    const minute = barOpenTime(now, '1m')
    if (minute === this.#minute) return
    this.#minute = minute
    const { states, candles } = this.#parts
    for (const { id } of states.followed) if (candles.hasEndedInHole(id, minute)) void this.fillDay(id)
  }

  /** Completes the open bars and the day's figures of a symbol from newly known history. */
  async fillDay(symbolId: number): Promise<void> {
    const { ctx, states, candles, onDayKnown } = this.#parts
    const state = states.get(symbolId)
    if (state === undefined) return
    try {
      const bars = await candles.complete(symbolId, (from) => state.ticksSince(from))
      state.day.load(bars)
      // Ticks may be slightly ahead of the clock, and may have closed a bar that is still open by the clock.
      const last = bars.at(-1)?.openTime ?? 0
      for (const closed of candles.of(symbolId)['5m'].closed) if (closed.openTime > last) state.day.add(closed)
      onDayKnown(symbolId)
    } catch (error) {
      ctx.log.warn({ err: error, symbolId }, 'the figures of the day could not be computed')
    }
  }

  /** Reloads candles that were folded again from the log. */
  reloadRebuilt(rebuilt: Extract<DomainEvent, { kind: 'candles-rebuilt' }>): void {
    this.#rebuilding = this.#rebuilding
      .then(() => this.#reload(rebuilt))
      .catch((error: unknown) => this.#parts.ctx.log.error({ err: error }, 'rebuilt candles could not be read'))
  }

  /** Resolves when no rebuilt candles are being read. */
  async idle(): Promise<void> {
    await this.#rebuilding
  }

  async #reload({ symbolIds, from, until }: Extract<DomainEvent, { kind: 'candles-rebuilt' }>): Promise<void> {
    const { states, recovery } = this.#parts
    const some = states.followed.filter(({ id }) => symbolIds.includes(id))
    await recovery.rereadCandles(some)
    for (const { id } of some) {
      this.invalidateAll({ symbolId: id, from, until })
      await this.fillDay(id)
    }
  }
}
