import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { Instant } from '#core/time/instant.ts'

/** Where a feed puts what it hears. Both calls return at once; the tick log takes it from there. */
export interface FeedSink {
  /**
   * From `since` on every price of a symbol is told, that one included. Said before the first word after a start, and
   * after each time that was left out. A feed that does not say it tells all prices from its start on.
   */
  begins?(symbolId: number, since: Instant): void
  /** Prices of a symbol were made after `from` that are not told: up to its next word. Null: after its last word. */
  misses?(symbolId: number, from: Instant | null): void
  tick(tick: SourceTick): void
  /** The source is alive and has nothing newer than `time` for this symbol: lets settlement go on without a tick. */
  heartbeat(symbolId: number, time: Instant): void
  /**
   * Whether the newest price of a symbol can be believed just now. While it cannot, no orders are taken on it, whoever
   * asks; what is open is settled or void by the rules.
   */
  doubt(symbolId: number, doubt: Doubt | null): void
}

/**
 * Why a price is not believed: its sources contradict each other, one price stands so far from those before it that
 * it waits for another to confirm it, or a trade after it was lost.
 */
export type Doubt = 'divergence' | 'spike' | 'lost'

/** How one source of one symbol does. */
export interface SourceHealth {
  readonly symbolId: number
  /** The provider's name and what it calls the symbol. */
  readonly provider: string
  readonly providerSymbol: string
  /** `silent` says nothing, `late` speaks of the past, `refused` does not know the symbol. */
  readonly state: 'well' | 'silent' | 'late' | 'refused'
  /** Its prices are the ones that count. */
  readonly isUsed: boolean
  /** The newest time it spoke of, and when we heard that. */
  readonly newestAt: Instant | null
  readonly heardAt: Instant | null
  /** Its trades that made no price, by reason. */
  readonly unused: Readonly<UnusedTradeCounts>
  /** The provider told us to leave it alone until then. */
  readonly restsUntil?: Instant | null
}

/** Trades of a provider that made no price and whose message did not show the symbol. */
export interface UnplacedTrades {
  readonly provider: string
  readonly unused: Readonly<UnusedTradeCounts>
}

/** A source of prices. One feed may carry many symbols; it names the ones it knows. */
export interface Feed {
  readonly name: string
  readonly symbols: readonly MarketSymbol[]
  start(sink: FeedSink): Promise<void>
  stop(): Promise<void>
  /** After a stop: from now on it may be started again. A feed without it may be at any time. */
  readonly renew?: () => Promise<void>
  /**
   * Candles from before our own ticks began, ascending, at most `limit`, all opening before `before`.
   * A feed without history answers with an empty list. Throws a `PartialHistory` when asking later may bring more.
   */
  history(query: HistoryQuery): Promise<PastCandle[]>
  /** Tells when more of the past has become known; a feed that knows all of it has none. */
  readonly onPast?: (listener: (stretch: PastStretch) => void) => () => void
  /** What of the past is known already, ascending: nobody is asked. Of feeds with `onPast`. */
  readonly storedHistory?: (stretch: PastStretch) => Promise<PastCandle[]>
  /** No prices came in for a while: bars of that time may be asked for, and `onPast` tells when they are there. */
  readonly missed?: (gap: Omit<PastStretch, 'interval'>) => void
  /** How the sources behind it do; a feed that makes its own prices has none. */
  readonly sources?: () => readonly SourceHealth[]
  /** Trades that made no price and belong to none of `sources`; providers without any are left out. */
  readonly unplaced?: () => readonly UnplacedTrades[]
  /** Takes on symbols while it runs. A feed without it has prices of `symbols` only. */
  readonly more?: MoreSymbols
}

/** A candle of the past, with who told it where that is not the feed itself. */
export interface PastCandle extends Candle {
  readonly source?: string
}

export interface PastStretch {
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly from: Instant
  /** Exclusive. */
  readonly until: Instant
}

/** All that a feed can say of the past just now; its source could not be asked for the rest. */
export class PartialHistory extends Error {
  override name = 'PartialHistory'
  readonly candles: PastCandle[]
  constructor(candles: PastCandle[]) {
    super('a part of the past is not known yet')
    this.candles = candles
  }
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
