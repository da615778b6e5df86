import type { Instant } from '#core/time/instant.ts'
import { instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { CandleStore } from '#server/market-data/candles/candle-store.ts'
import type { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import type { Newest } from '#server/market-data/ticks/day-stats.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'
import { TickHistory } from '#server/market-data/ticks/tick-history.ts'
import type { RecentTicks, Ticks } from '#server/market-data/ticks.ts'

export interface PriceReaderParts {
  readonly ctx: Ctx
  readonly states: SymbolStates
  readonly candles: CandleStore
  readonly coverage: LogCoverage
}

/** The part of `Ticks` that only reads prices. */
export type PriceReader = Pick<
  Ticks,
  | 'latest'
  | 'watermark'
  | 'doubt'
  | 'feedDelayMs'
  | 'recent'
  | 'aroundInstant'
  | 'between'
  | 'logLines'
  | 'quote'
  | 'day'
  | 'candles'
  | 'shownCandles'
  | 'openCandle'
>

const NO_TICKS: RecentTicks = { ticks: [], isWhole: false }

/** Creates the functions that read prices, candles and the day's figures from memory, and from the database where memory ends. */
export function createPriceReader({ ctx, states, candles, coverage }: PriceReaderParts): PriceReader {
  const history = new TickHistory(ctx.db, states)

  function newestOf(symbolId: number, now: Instant): Newest {
    const tick = states.latest(symbolId)
    const bar = candles.of(symbolId)['5m'].running
    const missedUntil = coverage.of(symbolId).at(-1)?.until ?? instant(0)
    return {
      tick,
      openBar: bar !== null && bar.openTime <= now ? bar : null,
      canBeSuperseded: tick !== null && tick.time < missedUntil,
    }
  }

  return {
    latest: (symbolId) => states.latest(symbolId),
    watermark: (symbolId) => states.get(symbolId)?.watermark ?? null,
    doubt: (symbolId) => states.get(symbolId)?.suspect?.why ?? null,
    feedDelayMs: (symbolId) => states.get(symbolId)?.feedDelayMs ?? 0,
    recent: (symbolId) => states.get(symbolId)?.ring.all() ?? NO_TICKS,
    aroundInstant: (symbolId, at) => history.aroundInstant(symbolId, at),
    logLines: (symbolId, from, to) => history.logLines(symbolId, from, to),
    between: (symbolId, from, to, limit) => history.between(symbolId, from, to, limit),
    quote(symbolId) {
      const now = ctx.now()
      return states.get(symbolId)?.day.quote(now, newestOf(symbolId, now)) ?? null
    },
    day(symbolId) {
      const now = ctx.now()
      return states.get(symbolId)?.day.stats(now, newestOf(symbolId, now)) ?? null
    },
    candles: async (query) => (await candles.shown(query)).map(({ candle }) => candle),
    shownCandles: (query, onPartial) => candles.shown(query, onPartial),
    openCandle: (symbolId, interval) => candles.of(symbolId)[interval].running,
  }
}
