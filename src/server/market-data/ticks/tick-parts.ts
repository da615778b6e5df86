import type { MarketSymbol } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CandleStore } from '#server/market-data/candles/candle-store.ts'
import { CandleWriter } from '#server/market-data/candles/candle-writer.ts'
import type { Feed, HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import type { SharedTicks } from '#server/market-data/replication/shared-ticks.ts'
import { GapTracker } from '#server/market-data/tick-log/gap-tracker.ts'
import { isOver, LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { DayEdges } from '#server/market-data/ticks/day-edges.ts'
import { HistoryUpdates } from '#server/market-data/ticks/history-updates.ts'
import { Listeners } from '#server/market-data/ticks/listeners.ts'
import { LogRole } from '#server/market-data/ticks/log-role.ts'
import { MemoryUpdater } from '#server/market-data/ticks/memory-updater.ts'
import { SymbolRecovery } from '#server/market-data/ticks/symbol-recovery.ts'
import { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'
import type { ClosedCandle, TickBatch } from '#server/market-data/ticks.ts'

export interface TicksOptions {
  /** Set where several servers share one log. Without it this server is the only writer. */
  readonly shared?: SharedTicks
  readonly ctx: Ctx
  readonly feed: Feed
  readonly symbols: readonly MarketSymbol[]
  /** The effective splits of a symbol, for the figures of the day. */
  readonly splitsOf?: (symbolId: number) => readonly Split[]
  /** Minimum time between two writes of ticks. */
  readonly flushMs?: number
  readonly maxBuffered?: number
}

const FLUSH_MS = 100
/** Bars of a longer absence are requested only when a user pages back to them. */
const MAX_MISSED_MS = 2 * DAY_MS

/** Creates the parts of the stream of prices and connects them. */
export function connectTickParts(options: TicksOptions) {
  const { ctx, feed, shared, flushMs = FLUSH_MS, maxBuffered, splitsOf = () => [] } = options
  const isLeader = (): boolean => role.isLeader
  let beganAt = ctx.now()
  const listeners = {
    batch: new Listeners<TickBatch>(ctx.log),
    candleClosed: new Listeners<ClosedCandle>(ctx.log),
    dayKnown: new Listeners<number>(ctx.log),
    historyChanged: new Listeners<HistoryRange>(ctx.log),
  }
  const states = new SymbolStates(options.symbols, splitsOf)
  const orderGuard = new TickOrderGuard(states.ids, ctx.log)
  const edges = new DayEdges(ctx, (symbolId) => states.get(symbolId)?.day)
  const writer = new CandleWriter(ctx, isLeader)
  const gaps = new GapTracker(ctx, (gap) => history.invalidateAll(gap), isLeader)
  const coverage = new LogCoverage((hole) => {
    candles.reconsider(hole.symbolId)
    if (isLeader() && isOver(hole))
      feed.missed?.({ ...hole, from: instant(Math.max(hole.from, hole.until - MAX_MISSED_MS)) })
  })
  const candles = new CandleStore({
    ctx,
    feed,
    writer,
    coverage,
    onClosed(closed, isWhole) {
      history.candleClosed(closed, isWhole)
      // This process may lack prices of a bar that ended before the process began. So such a bar is reported only when
      // it is complete.
      if (isWhole || closed.candle.openTime + intervalMs(closed.interval) > beganAt)
        listeners.candleClosed.notify(closed)
    },
  })
  const recovery = new SymbolRecovery({ ctx, states, candles, writer, coverage, orderGuard, isLeader })
  const history: HistoryUpdates = new HistoryUpdates({
    ctx,
    states,
    candles,
    recovery,
    onHistoryChanged: (range) => listeners.historyChanged.notify(range),
    onDayKnown: (symbolId) => listeners.dayKnown.notify(symbolId),
  })
  const onBatch = (batch: TickBatch): void => listeners.batch.notify(batch)
  const memory = new MemoryUpdater({ ctx, states, candles, coverage, gaps, history, isLeader, onBatch })
  const role: LogRole = new LogRole({
    ctx,
    feed,
    shared,
    states,
    orderGuard,
    coverage,
    recovery,
    flushMs,
    maxBuffered,
    apply: (committed) => memory.apply(committed),
  })
  return {
    listeners,
    states,
    orderGuard,
    edges,
    writer,
    gaps,
    coverage,
    candles,
    recovery,
    history,
    memory,
    role,
    /** Notes that this server begins to follow prices. */
    begin() {
      beganAt = ctx.now()
    },
  }
}
