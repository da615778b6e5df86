import type { Candle } from '#core/markets/candle.ts'
import type { LogLine } from '#core/markets/log-text.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { Tick } from '#core/markets/tick.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { DayStart } from '#core/time/day-start.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SourceReport } from '#server/market-data/replication/tick-relay.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { LateBatch } from '#server/market-data/tick-log/late-batch.ts'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import type { RecordQuery, SuspectReason, HistoryRange } from '#server/market-data/feeds/base/feed.ts'

/**
 * The only stream of prices. A tick exists once it is written to the tick log. Only then is it the latest price, changes a candle, reaches
 * a client, or can open or settle an order.
 */
export interface Ticks {
  /** The newest accepted tick of a symbol, however old. */
  latest(symbolId: number): Tick | null
  /** The newest source time of a symbol that was logged, or confirmed by a heartbeat of the source. */
  watermark(symbolId: number): Instant | null
  /** The last accepted tick with source time <= `at`, and the first after it. Null where there is none or it is not known. */
  aroundInstant(symbolId: number, at: Instant): Promise<{ last: Tick | null; next: Tick | null }>
  /**
   * Returns all lines of the tick log about a symbol, including late evidence, from batches with prices of this source
   * time. `head` is an end of the log that includes all these lines.
   */
  logLines(symbolId: number, from: Instant, to: Instant): Promise<{ lines: LogLine[]; head: LogHead }>
  /** Accepted ticks of a symbol with from <= source time <= to, in log order, at most `limit` (the newest ones). */
  between(symbolId: number, from: Instant, to: Instant, limit: number): Promise<Tick[]>
  /** The accepted ticks of a symbol that are in memory: the ticks of the last minutes before the newest tick. */
  recent(symbolId: number): RecentTicks
  /** The end of the log when the newest tick was accepted. */
  head(): LogHead
  /** Reads ticks that another server has added to the log. Resolves at once where this server writes it. */
  waitUntilCaughtUp(): Promise<void>
  /**
   * Since when received prices of a symbol may be missing in the log, by the clock of the log's writer. Null when all are logged, or when
   * that cannot be known.
   */
  waitingSince(symbolId: number): Instant | null
  /** The fencing token of the server that reported the watermarks; null where only one server can. */
  writerToken(): bigint | null
  /** Why no orders are accepted on the current price of a symbol. Null when orders are accepted. */
  doubt(symbolId: number): SuspectReason | null
  /** The feed delay of a symbol in milliseconds: see `FeedLatency`. */
  feedDelayMs(symbolId: number): number
  /** The newest known price of a symbol and the price 24 hours earlier; null before the first price. */
  quote(symbolId: number): Quote | null
  /** All figures of the last 24 hours; null before the first price. */
  day(symbolId: number): DayStats | null
  /** Candles ascending that open before `before` (default: now), the last one possibly still open. */
  candles(query: CandleQuery): Promise<Candle[]>
  /** As `candles`, but each candle has its source. `onPartial` is called when a later call may return more. */
  shownCandles(query: CandleQuery, onPartial?: () => void): Promise<ShownCandle[]>
  /** Called when candles of the past have become known or have changed, because a hole was filled. */
  onHistoryChanged(listener: (stretch: HistoryRange) => void): () => void
  /** The open candle; null without a tick in its time. */
  openCandle(symbolId: number, interval: ChartInterval): Candle | null
  /** Called after each batch that reached the log, and after heartbeats moved a watermark (then with no ticks). */
  onBatch(listener: (batch: TickBatch) => void): () => void
}

export interface RecentTicks {
  /** Accepted ticks of one symbol in memory, in log order. */
  readonly ticks: readonly Tick[]
  /** Whether the log has no older ticks of the symbol. */
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

/** A candle with the facts that users see with it. */
export interface ShownCandle {
  readonly candle: Candle
  /** Null when folded from our own ticks, else the source that reported the candle. */
  readonly source: string | null
  /** Whether the candle is folded from our own ticks although some of its time was missed. */
  readonly isPartial: boolean
}

/** The price of a symbol in every list, call and socket, with all figures on one split basis. */
export interface Quote {
  readonly last: Price
  /** The source's time of `last`. For a closed bar this is its opening: the price is no older. */
  readonly time: Instant
  /** The tick whose price is `last`; null when `last` is the close of a bar. No order is taken on such a price. */
  readonly tick: Tick | null
  /** The price 24 hours ago, or the first price known since then. */
  readonly open: Price
}

export interface DayStats extends Quote {
  /** The price at the last midnight of each time zone, or the first price known since then. */
  readonly openOf: Readonly<Record<DayStart, Price>>
  readonly high: Price
  readonly low: Price
  readonly volume: Volume
  /** Thirty closing prices at equal intervals over the last 24 hours, oldest first; null where there was no price. */
  readonly spark: readonly (Price | null)[]
}

export interface ClosedCandle {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly candle: Candle
}

/** The stream of prices with the functions for the running server. */
export interface TickService extends Ticks {
  /**
   * When this server last applied a message of the log's writer, by this server's clock; null before the first. While
   * the writer can write, it sends a message at least once a second, even without ticks and heartbeats.
   */
  lastMessageAt(): Instant | null
  /** How far the newest price is ahead of the clock, in ms; negative when it is older. */
  aheadOfClockMs(): number
  /** Whether this server writes the log. */
  isLeader(): boolean
  /** The number of ticks that wait to be written. */
  waiting(): number
  /** Restores the state from the log, then starts the feed. */
  start(): Promise<void>
  /** The name of the price source. */
  readonly source: string
  /** State of the sources and counts of unused trades, as reported by the server that listens to the sources. */
  sources(): SourceReport
  /** Whether the source has, or could have, prices of such a symbol. */
  knows(symbol: Omit<MarketSymbol, 'id'>): boolean
  /** Subscribes to another symbol. Its history comes from the source. */
  add(symbol: MarketSymbol): Promise<void>
  /**
   * Past trades according to the source's own record. Null when the source keeps no record. Throws when the record
   * cannot be read.
   */
  record(query: RecordQuery): Promise<JudgedRecord | null>
  /** Appends late evidence to the log. Returns false when this server does not write the log. */
  appendLate(batch: Omit<LateBatch, 'sources'>): Promise<boolean>
  /** Stops the feed and writes the waiting ticks. */
  stop(): Promise<void>
  /**
   * Called once for every closed candle, as it was shown, after the ticks that closed it are accepted. A bar that had
   * ended when this process began is reported only when it is complete.
   */
  onCandleClosed(listener: (closed: ClosedCandle) => void): () => void
  /** Called when the figures of a symbol's day have changed without a tick, because more of its history is known. */
  onDayKnown(listener: (symbolId: number) => void): () => void
}
