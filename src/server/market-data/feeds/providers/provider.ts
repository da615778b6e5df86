import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { UnusedTradeReason } from '#core/markets/sources/unused-trade.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { ProviderTrades } from '#server/market-data/feeds/providers/provider-trades.ts'
import type { Peer } from '#server/market-data/feeds/providers/peer-certificate.ts'

/**
 * A provider's name for an instrument (`BTCUSDT`, `BTC-USD`, `OANDA:EUR_USD`), and the stream of it to subscribe to.
 */
export interface ProviderSymbol {
  readonly symbol: string
  /** The stream that makes prices: `trade`, each trade as it happens; `ticker`, the last price about once a second. */
  readonly channel: 'trade' | 'ticker'
}

/** One price exactly as a provider reported it, without rounding. */
export interface Quote {
  readonly symbol: string
  /** A plain positive decimal, such as `61837.63`. */
  readonly price: string
  /** A plain decimal; zero when the provider reports none. */
  readonly volume: string
  /** The provider's time of the price. */
  readonly time: Instant
  /** The provider's number of the trade, when its trades are numbered without holes. */
  readonly ref?: number | undefined
}

/** A problem to report to operators. It never stops other symbols. */
export type ProviderTrouble =
  /** The connection of these symbols was lost or could not be opened. The provider retries by itself. */
  | { readonly kind: 'disconnected'; readonly symbols: readonly string[]; readonly why: string }
  /** The provider refuses to send this symbol. */
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  /**
   * Trades are missing. With `from`, the connection was up, and the missing trades were made after `from` and before
   * the next quote. Until that quote, the price must decide nothing after `from`. Without `from`, the connection was
   * down, and the age of the last price decides whether it may be used.
   */
  | { readonly kind: 'lost'; readonly symbol: string | null; readonly why: string; readonly from?: Instant }
  /** The provider requested a pause until then. */
  | { readonly kind: 'resting'; readonly until: Instant; readonly why: string }
  /** A message could not be read. No data was taken from it. */
  | { readonly kind: 'unreadable'; readonly why: string }

/** Builds the report of lost trades; see `ProviderTrouble`. */
export function lostTrades(symbol: string, why: string, from: Instant | null): ProviderTrouble {
  return from === null ? { kind: 'lost', symbol, why } : { kind: 'lost', symbol, why, from }
}

/** Receives what a provider reports. All calls return at once and never throw. */
export interface ProviderSink {
  /** Called in the provider's own order for each symbol, once per price. Repeats are left out. */
  quote(quote: Quote): void
  /**
   * The provider has reported everything of this symbol up to `time`, even without a new price. Called after all quotes up to that time.
   */
  alive(symbol: string, time: Instant): void
  connected(): void
  trouble(trouble: ProviderTrouble): void
  /**
   * Counts a reported trade that makes no price. `symbol` is null when the message does not show its symbol. `back`:
   * the number of a trade whose time runs back: a trade with a lower number has a later time.
   */
  unused(symbol: string | null, reason: UnusedTradeReason, back?: number): void
}

/** A bar as reported by a provider, in plain decimals. */
export interface ProviderCandle {
  readonly openTime: Instant
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

export interface ProviderCandleQuery {
  readonly symbol: string
  readonly interval: ChartInterval
  /** The first requested bar is the first one that opens at or after this time. */
  readonly from: Instant
  /** Bars that open before this. */
  readonly before: Instant
}

/** The provider's historical bars. */
export interface ProviderHistory {
  /** The intervals that the provider offers. Other intervals are folded from these. */
  readonly intervals: readonly ChartInterval[]
  /** The maximum number of bars per call. */
  readonly maxBars: number
  /**
   * Closed bars, ascending. Bars without a trade may be missing. Throws a `ProviderError` when the provider cannot
   * reply, and `PartialBars` when it can reply in part. Waits for its turn when the provider limits calls.
   */
  candles(query: ProviderCandleQuery): Promise<ProviderCandle[]>
}

/**
 * An external source of prices: one or more self-monitoring connections. Created once, started once. Symbols may be added while it runs.
 */
export interface Provider {
  /** As in the configuration, e.g. `binance`. Stored with every tick in the log. */
  readonly name: string
  readonly history: ProviderHistory | null
  /** The provider's public record of single trades, if it has one in which every trade has a number. */
  readonly trades?: ProviderTrades | undefined
  start(sink: ProviderSink): void
  /** Until when the provider requested a pause before the next call or connection; null without one. */
  readonly restsUntil?: () => Instant | null
  /** Subscribes to another symbol, before the start or while the provider runs. */
  follow(symbol: ProviderSymbol): void
  /** Closes everything. The provider reports nothing after the promise resolves. */
  stop(): Promise<void>
}

/** A provider that did not return the requested data. `retry` says whether a later attempt makes sense. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly retry: boolean
  constructor(message: string, { retry }: { retry: boolean }) {
    super(message)
    this.retry = retry
  }
}

/** A reply in which some bars could not be read. An unknown bar differs from a bar without a trade. */
export class PartialBars extends ProviderError {
  override name = 'PartialBars'
  /** The readable bars, ascending. */
  readonly bars: readonly ProviderCandle[]
  /** The openings of the unreadable bars, ascending. */
  readonly unread: readonly Instant[]
  constructor(bars: readonly ProviderCandle[], unread: readonly Instant[]) {
    super(`the reply contains ${unread.length} invalid bars`, { retry: true })
    this.bars = bars
    this.unread = unread
  }
}

/** Time, waiting and randomness, passed in from outside. Any `Ctx` will do. */
export interface ProviderTools extends Pick<Ctx, 'clock' | 'randomBytes'> {
  /** Receives the certificate of each encrypted connection. */
  readonly onPeer?: (peer: Peer) => void
}

/** The settings of a provider. */
export interface ProviderOptions {
  readonly name: string
  /** Address of its sockets. Default: its public address. */
  readonly url?: string
  /** Address of its REST API. */
  readonly restUrl?: string
  /** The key, which is never logged and never part of an error. */
  readonly key?: string
}
