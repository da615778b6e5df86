import type { FeedClocks } from '#server/market-data/feeds/base/feed-clocks.ts'
import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { LogNote } from '#core/markets/log-text.ts'
import type { UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** Receives what a feed reports. All calls return at once, and the tick log processes the data later. */
export interface FeedSink {
  /**
   * From `since` on, inclusive, every price of a symbol is reported. Called before the first price after a start, and after each time with
   * missing prices. A feed that never calls this reports all prices from its start on.
   */
  begins?(symbolId: number, since: Instant): void
  /**
   * Reports that prices of a symbol are missing after `from` and before the next reported price. When `from` is null,
   * prices are missing since the last reported price.
   */
  misses?(symbolId: number, from: Instant | null): void
  /** Sets the hash of the configuration of the sources. It applies to the ticks that follow. */
  sources?(hash: string): void
  /** Reports a note for the tick log that is not a price: trades left out, or a change of the source. */
  note?(note: LogNote): void
  tick(tick: SourceTick): void
  /** The source is alive and has nothing newer than `time` for this symbol. Lets settlement proceed without a tick. */
  heartbeat(symbolId: number, time: Instant): void
  /**
   * Sets or clears the reason why the newest price of a symbol is suspect. While it is suspect, no user's orders are accepted on it. Open
   * orders are settled or void by the rules.
   */
  doubt(symbolId: number, doubt: SuspectReason | null): void
}

/**
 * Why no order is accepted on a price. `divergence`: the sources disagree. `spike`: the price is far from earlier
 * prices, so a second price has to confirm it. `lost`: a later trade is missing. `pending`: the sources of the symbol
 * are announced and not yet in effect.
 */
export const SUSPECT_REASONS = ['divergence', 'spike', 'lost', 'pending'] as const
export type SuspectReason = (typeof SUSPECT_REASONS)[number]

/** The state of one source of one symbol. */
export interface SourceHealth {
  readonly symbolId: number
  /** The provider's name, and its name for the symbol. */
  readonly provider: string
  readonly providerSymbol: string
  /** `silent` sends nothing, `late` sends old prices, `refused` does not know the symbol. */
  readonly state: 'well' | 'silent' | 'late' | 'refused'
  /** Whether prices of this source are in use. */
  readonly isUsed: boolean
  /** The newest time that the source reported, and when this server received the report. */
  readonly newestAt: Instant | null
  readonly heardAt: Instant | null
  /** Trades that made no price, by reason. */
  readonly unused: Readonly<UnusedTradeCounts>
  /** The end of a pause that the provider requested; null without one. */
  readonly restsUntil?: Instant | null
}

/** Trades of a provider that made no price and whose message did not name the symbol. */
export interface UnplacedTrades {
  readonly provider: string
  readonly unused: Readonly<UnusedTradeCounts>
}

/** A source of prices. One feed may carry many symbols, listed in `symbols`. */
export interface Feed {
  readonly name: string
  readonly symbols: readonly MarketSymbol[]
  start(sink: FeedSink): Promise<void>
  stop(): Promise<void>
  /** When the configuration of the sources changes. The feed has to be renewed then. */
  readonly changesAt?: Instant | null
  /** Prepares a stopped feed for another start. A feed without this can be restarted at any time. */
  readonly renew?: () => Promise<void>
  /**
   * Candles from before our own ticks began, ascending, at most `limit`, all opening before `before`. A feed without history returns an
   * empty list. Throws a `PartialHistory` when a later call may return more.
   */
  history(query: HistoryQuery): Promise<PastCandle[]>
  /** Called when more history has become known. A feed that knows all of it does not have this. */
  readonly onHistoryChanged?: (listener: (stretch: HistoryRange) => void) => () => void
  /** History that is known already, ascending, without querying a source. Only on feeds with `onHistoryChanged`. */
  readonly storedHistory?: (stretch: HistoryRange) => Promise<PastCandle[]>
  /** Reports a time without prices. Its bars may be requested, and `onHistoryChanged` announces them. */
  readonly missed?: (gap: Omit<HistoryRange, 'interval'>) => void
  /** The state of its sources. A feed that generates its own prices has none. */
  readonly sources?: () => readonly SourceHealth[]
  /** Trades that made no price and belong to none of `sources`. Providers without any are left out. */
  readonly unplaced?: () => readonly UnplacedTrades[]
  /** The clocks of its providers. A feed that computes its prices has none. */
  readonly clocks?: FeedClocks | undefined
  /**
   * Past trades according to the source's own record. Null when the source keeps no record of single trades. Throws
   * when the source cannot reply, or when its reply cannot be trusted.
   */
  readonly record?: (query: RecordQuery) => Promise<JudgedRecord | null>
  /** Adds symbols at run time. A feed without this only has prices of `symbols`. */
  readonly more?: MoreSymbols
}

/** A candle of the feed's history. Without `source`, the feed itself is the source. */
export interface PastCandle extends Candle {
  readonly source?: string
}

export interface HistoryRange {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly from: Instant
  /** The end of the requested candles, exclusive. */
  readonly until: Instant
}

/** The unknown times of a `PartialHistory` that names none. */
export const ALL_TIME: readonly Stretch[] = [{ from: instant(0), until: instant(Number.MAX_SAFE_INTEGER) }]

export type Stretch = Pick<HistoryRange, 'from' | 'until'>

/** Carries all candles that a feed can return now, because its source could not be queried for the rest. */
export class PartialHistory extends Error {
  override name = 'PartialHistory'
  readonly candles: PastCandle[]
  /** The times of the rest. */
  readonly unknown: readonly Stretch[]
  constructor(candles: PastCandle[], unknown: readonly Stretch[] = ALL_TIME) {
    super('a part of the past is not known yet')
    this.candles = candles
    this.unknown = unknown
  }
}

export interface MoreSymbols {
  /** Whether the feed could have prices of a symbol with these properties. */
  knows(symbol: Omit<MarketSymbol, 'id'>): boolean
  /** Adds the symbol's history now. Its ticks begin when the returned function is called. */
  learn(symbol: MarketSymbol): () => void
}

/** A request for the trades of one source of a symbol. */
export interface RecordQuery {
  readonly symbolId: number
  /** The provider's name. */
  readonly source: string
  /** A known trade to begin with, or a time. With a time, the reply begins with the last trade before it. */
  readonly from: { readonly ref: number; readonly time: Instant } | { readonly time: Instant }
  /** The reply ends with the first price after this time. */
  readonly through: Instant
}

export interface HistoryQuery {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly before: Instant
  readonly limit: number
}
