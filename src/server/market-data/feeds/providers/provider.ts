import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { UnusedTradeReason } from '#core/markets/sources/unused-trade.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** What a provider calls an instrument (`BTCUSDT`, `BTC-USD`, `OANDA:EUR_USD`), and which of its streams to follow. */
export interface ProviderSymbol {
  readonly symbol: string
  /** What makes a price: `trade`, each trade as it happened; `ticker`, the last price as told about once a second. */
  readonly channel: 'trade' | 'ticker'
}

/** One price as a provider reported it, in its own words and exact: nothing is rounded here. */
export interface Quote {
  readonly symbol: string
  /** A plain positive decimal, such as `61837.63`. */
  readonly price: string
  /** A plain decimal, zero when the provider tells none. */
  readonly volume: string
  /** When the provider says it happened. */
  readonly time: Instant
}

/** Something an operator should know. None of it stops the other symbols. */
export type ProviderTrouble =
  /** The connection of these symbols was lost or could not be made; it is tried again by itself. */
  | { readonly kind: 'disconnected'; readonly symbols: readonly string[]; readonly why: string }
  /** The provider does not want to send this symbol. */
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  /**
   * Trades are missing. With `from` they were made on a connection that stood, after `from` and before the next quote: the
   * price until then must not decide anything after `from`. Without it we were not connected, and its age decides.
   */
  | { readonly kind: 'lost'; readonly symbol: string | null; readonly why: string; readonly from?: Instant }
  /** The provider told us to leave it alone until then. */
  | { readonly kind: 'resting'; readonly until: Instant; readonly why: string }
  /** A message that could not be read; nothing was taken from it. */
  | { readonly kind: 'unreadable'; readonly why: string }

/** A loss as it is reported; see `ProviderTrouble`. */
export function lostTrades(symbol: string, why: string, from: Instant | null): ProviderTrouble {
  return from === null ? { kind: 'lost', symbol, why } : { kind: 'lost', symbol, why, from }
}

/** Where a provider puts what it hears. All calls return at once and never throw. */
export interface ProviderSink {
  /** In the provider's own order for each symbol, each price once: what was heard before is left out. */
  quote(quote: Quote): void
  /**
   * The provider says that up to `time` there is nothing of this symbol that it has not told: also without a new price.
   * Comes after all quotes it speaks of.
   */
  alive(symbol: string, time: Instant): void
  connected(): void
  trouble(trouble: ProviderTrouble): void
  /** Counts a reported trade that makes no price. `symbol` is null when the message does not show which symbol it was. */
  unused(symbol: string | null, reason: UnusedTradeReason): void
}

/** A bar as a provider tells it, in plain decimals. */
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
  /** From the bar that opens then, or the first after it. */
  readonly from: Instant
  /** Bars that open before this. */
  readonly before: Instant
}

/** The provider's bars of the past. */
export interface ProviderHistory {
  /** Which intervals it has itself; others are folded from these. */
  readonly intervals: readonly ChartInterval[]
  /** The longest stretch it answers in one call, in bars. */
  readonly mostBars: number
  /**
   * Closed bars, ascending; bars without a trade may be missing. Throws a `ProviderError` when it cannot answer, and
   * `PartialBars` when it can answer in part.
   * Waits for its turn when the provider limits calls.
   */
  candles(query: ProviderCandleQuery): Promise<ProviderCandle[]>
}

/**
 * A source of prices outside: one or more connections that look after themselves. Made once, started once; symbols may
 * be added while it runs.
 */
export interface Provider {
  /** As in the configuration, e.g. `binance`: it stands beside every tick in the log. */
  readonly name: string
  readonly history: ProviderHistory | null
  start(sink: ProviderSink): void
  /** Until when it told us to wait before the next call or connection; null when it did not. */
  readonly restsUntil?: () => Instant | null
  /** Follows one more symbol; before the start or while it runs. */
  follow(symbol: ProviderSymbol): void
  /** Closes everything; nothing comes after the answer. */
  stop(): Promise<void>
}

/** A provider that did not give what was asked for; `retry` says whether asking again later makes sense. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly retry: boolean
  constructor(message: string, { retry }: { retry: boolean }) {
    super(message)
    this.retry = retry
  }
}

/** An answer of which some bars could not be read: they are not known, which is not the same as bars without a trade. */
export class PartialBars extends ProviderError {
  override name = 'PartialBars'
  /** Those that could be read, ascending. */
  readonly bars: readonly ProviderCandle[]
  /** When the others open, ascending. */
  readonly unread: readonly Instant[]
  constructor(bars: readonly ProviderCandle[], unread: readonly Instant[]) {
    super(`it answered with ${unread.length} bars that make no sense`, { retry: true })
    this.bars = bars
    this.unread = unread
  }
}

/** Time, waiting and chance come from outside; any `Ctx` will do. */
export type ProviderTools = Pick<Ctx, 'clock' | 'randomBytes'>

/** What a provider is made of. */
export interface ProviderOptions {
  readonly name: string
  /** Where its sockets are; its public address unless told. */
  readonly url?: string
  /** Where its calls are answered. */
  readonly restUrl?: string
  /** Never logged, never in an error. */
  readonly key?: string
}
