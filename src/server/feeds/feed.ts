import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** Where a feed puts what it hears. Both calls return at once; the tick log takes it from there. */
export interface FeedSink {
  tick(tick: SourceTick): void
  /** The source is alive and has nothing newer than `time` for this symbol: lets settlement go on without a tick. */
  heartbeat(symbolId: number, time: Instant): void
}

/** A source of prices. One feed may carry many symbols; it names the ones it knows. */
export interface Feed {
  readonly name: string
  readonly symbols: readonly MarketSymbol[]
  start(sink: FeedSink): Promise<void>
  stop(): Promise<void>
  /**
   * Candles from before our own ticks began, ascending, at most `limit`, all opening before `before`.
   * A feed without history answers with an empty list.
   */
  history(query: HistoryQuery): Promise<Candle[]>
  /** Takes on symbols while it runs. A feed without it has prices of `symbols` only. */
  readonly more?: MoreSymbols
}

export interface MoreSymbols {
  /** Whether it would have prices of such a symbol. */
  knows(symbol: Omit<MarketSymbol, 'id'>): boolean
  /** From now on it has a past; its ticks begin when the answer is called. */
  learn(symbol: MarketSymbol): () => void
}

export interface HistoryQuery {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly before: Instant
  readonly limit: number
}
