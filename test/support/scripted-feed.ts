import { type Candle, foldCandles } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { price, volume } from '#core/money/price.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import type { SuspectReason, Feed, FeedSink, HistoryQuery } from '#server/market-data/feeds/base/feed.ts'

/** A feed that sends exactly the prices of a test, with the history that the test sets. */
export class ScriptedFeed implements Feed {
  readonly name = 'scripted'
  readonly symbols: readonly MarketSymbol[]
  /** Accepts new symbols, except those with the code NOPRICE. */
  readonly more = { knows: ({ code }: { readonly code: string }) => code !== 'NOPRICE', learn: () => () => undefined }
  /** One-minute candles by symbol, ascending: the whole known history. */
  readonly past = new Map<number, Candle[]>()
  #sink: FeedSink | null = null

  constructor(symbols: readonly MarketSymbol[]) {
    this.symbols = symbols
  }

  start(sink: FeedSink): Promise<void> {
    this.#sink = sink
    return Promise.resolve()
  }

  stop(): Promise<void> {
    this.#sink = null
    return Promise.resolve()
  }

  history({ symbolId, interval, before, limit }: HistoryQuery): Promise<Candle[]> {
    const known = (this.past.get(symbolId) ?? []).filter(({ openTime }) => openTime < before)
    return Promise.resolve(foldCandles(known, interval).slice(-limit))
  }

  tick(symbolId: number, units: number, time: Instant | number, size = 0): void {
    this.#sink?.tick({ symbolId, price: price(units), volume: volume(size), time: instant(time), source: this.name })
  }

  /** Sets the hash of the source configuration that applies to the prices from now on. */
  configured(hash: string): void {
    this.#sink?.sources?.(hash)
  }

  /** Sends a trade of one of several sources. */
  trade(symbolId: number, units: number, { time, source, ref }: Pick<SourceTick, 'time' | 'source' | 'ref'>): void {
    this.#sink?.tick({ symbolId, price: price(units), volume: volume(0), time, source, ref })
  }

  doubt(symbolId: number, doubt: SuspectReason | null): void {
    this.#sink?.doubt(symbolId, doubt)
  }

  misses(symbolId: number, from: Instant | null): void {
    this.#sink?.misses?.(symbolId, from)
  }

  heartbeat(symbolId: number, time: Instant | number): void {
    this.#sink?.heartbeat(symbolId, instant(time))
  }
}
