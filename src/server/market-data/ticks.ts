import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { Tick } from '#core/markets/tick.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { DayStart } from '#core/time/day-start.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SourceReport } from '#server/market-data/replication/tick-relay.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Doubt, PastStretch } from '#server/market-data/feeds/base/feed.ts'

/**
 * The one stream of prices. A tick exists once it is written to the tick log: only then is it the latest price, moves a
 * candle, reaches a client, or can open or settle an order.
 */
export interface Ticks {
  /** The newest accepted tick of a symbol, however old. */
  latest(symbolId: number): Tick | null
  /** The newest source time that was logged, or confirmed by a heartbeat of the source, for a symbol. */
  watermark(symbolId: number): Instant | null
  /** The last accepted tick with source time <= `at`, and the first after it; parts that are not known are null. */
  aroundInstant(symbolId: number, at: Instant): Promise<{ last: Tick | null; next: Tick | null }>
  /** Accepted ticks of a symbol with from <= source time <= to, in log order, at most `limit` (the newest ones). */
  between(symbolId: number, from: Instant, to: Instant, limit: number): Promise<Tick[]>
  /** The accepted ticks of a symbol that are in memory: those of the last minutes before the newest one. */
  recent(symbolId: number): RecentTicks
  /** Where the log ended when the newest tick was accepted. */
  head(): LogHead
  /** Reads whatever another server has added to the log; at once where this one writes it. */
  caughtUp(): Promise<void>
  /**
   * From when on received prices of a symbol may not be in the log yet, by the clock of whoever writes it; null when all are,
   * or when that cannot be known.
   */
  waitingSince(symbolId: number): Instant | null
  /** Whose word it is that a symbol was heard up to its watermark; null where only one server can say so. */
  writerToken(): bigint | null
  /** Why no orders are taken on the price of a symbol just now; null when they are. */
  doubt(symbolId: number): Doubt | null
  /** By how many milliseconds the prices of a symbol come late: see `Lateness`. */
  lateMs(symbolId: number): number
  /** The newest price that is known of a symbol, and the one of 24 hours before; null before the first price. */
  quote(symbolId: number): Quote | null
  /** The same with all figures of the last 24 hours. */
  day(symbolId: number): DayStats | null
  /** Candles ascending that open before `before` (default: now), the last one possibly still open. */
  candles(query: CandleQuery): Promise<Candle[]>
  /** The same, each with who told it. `onPartial` is called when asking again later may bring more. */
  shownCandles(query: CandleQuery, onPartial?: () => void): Promise<ShownCandle[]>
  /** Called when candles of the past have become known or have changed: a hole was filled. */
  onPast(listener: (stretch: PastStretch) => void): () => void
  /** The candle under construction; null when no tick has come in its time. */
  openCandle(symbolId: number, interval: ChartInterval): Candle | null
  /** Called after each batch that reached the log, and after heartbeats moved a watermark (then with no ticks). */
  onBatch(listener: (batch: TickBatch) => void): () => void
}

export interface RecentTicks {
  /** In log order. */
  readonly ticks: readonly Tick[]
  /** There are no older ones. */
  readonly isWhole: boolean
}

export interface TickBatch {
  readonly ticks: readonly Tick[]
  /** Symbols whose watermark moved. */
  readonly moved: ReadonlySet<number>
}

export interface CandleQuery {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly before?: Instant
  readonly limit: number
}

/** A candle as it is shown. */
export interface ShownCandle {
  readonly candle: Candle
  /** Whose it is: null for the fold of our own ticks, else the source that told it. */
  readonly source: string | null
  /** A fold of our own in whose time we missed ticks. */
  readonly isPartial: boolean
}

/** What every list, call and socket shows as the price of a symbol, all of one basis. */
export interface Quote {
  readonly last: Price
  /** The source's time of `last`. Of a bar of the past only its opening is sure: the price is no older. */
  readonly time: Instant
  /** The tick that is `last`; null when it is the close of a bar of the past. No order is taken on such a price. */
  readonly tick: Tick | null
  /** The price 24 hours ago (or the first one known since). */
  readonly open: Price
}

export interface DayStats extends Quote {
  /** The price at the last midnight, by what counts as one (or the first one known since). */
  readonly openOf: Readonly<Record<DayStart, Price>>
  readonly high: Price
  readonly low: Price
  readonly volume: Volume
  /** Thirty closing prices at even times, oldest first; null where none was made. */
  readonly spark: readonly (Price | null)[]
}

export interface ClosedCandle {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly candle: Candle
}

/** The stream of prices as whoever runs the server handles it. */
export interface TickService extends Ticks {
  /** When the log last said something, if only that nothing is new; null before. */
  heardAt(): Instant | null
  /** How far the newest price is ahead of the clock, in ms; negative when it is older. */
  aheadMs(): number
  /** Whether this server is the one that writes the log. */
  leads(): boolean
  /** Ticks that wait to be written. */
  waiting(): number
  /** Reads back what the log holds, then lets the feed speak. */
  start(): Promise<void>
  /** What the source of prices is called. */
  readonly source: string
  /** How the sources of the prices do, and which trades made no price: as the server that listens to them says. */
  sources(): SourceReport
  /** Whether the source has, or would have, prices of such a symbol. */
  knows(symbol: Omit<MarketSymbol, 'id'>): boolean
  /** Follows one more symbol from now on; its past comes from the source. */
  add(symbol: MarketSymbol): Promise<void>
  /** Silences the feed and writes what waits. */
  stop(): Promise<void>
  /**
   * Called once for every candle that has closed, as it was shown, after the ticks that closed it are accepted. Of bars
   * that had ended when this process began only whole ones count.
   */
  onCandleClosed(listener: (closed: ClosedCandle) => void): () => void
  /** Called when the figures of a symbol's day have changed without a tick: more of its past is known. */
  onDayKnown(listener: (symbolId: number) => void): () => void
}
