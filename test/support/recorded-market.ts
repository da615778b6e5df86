import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { toHex } from '#core/proof/bytes.ts'
import { assert } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import { BinanceTrades } from '#server/market-data/feeds/providers/binance/binance-trades.ts'
import { ExchangeTrades } from '#server/market-data/feeds/providers/coinbase/exchange-trades.ts'
import type { ProviderTrades } from '#server/market-data/feeds/providers/provider-trades.ts'
import { REST_LIMITS, RestClient } from '#server/market-data/feeds/providers/rest-client.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { publishSources } from '#server/market-data/source-versions/publish-sources.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { RecordServer, type ScriptedTrade } from '#test/support/providers/record-server.ts'
import { ScriptedProvider } from '#test/support/scripted-provider.ts'
import type { TestContext } from '#test/support/test-context.ts'

export type RecordedProvider = 'binance' | 'coinbase'

const SYMBOLS: Readonly<Record<RecordedProvider, string>> = { binance: 'BTCUSDT', coinbase: 'BTC-USD' }
const ADAPTERS: Readonly<Record<RecordedProvider, new (rest: RestClient) => ProviderTrades>> = {
  binance: BinanceTrades,
  coinbase: ExchangeTrades,
}

/** A provider with a stream and a public record of the same trades. The trades do not depend on its clients. */
export class RecordedMarket {
  readonly record: RecordServer
  readonly provider: RecordedProvider
  readonly #trades: readonly ScriptedTrade[]
  readonly #ctx: TestContext
  #stream: ScriptedProvider | null = null
  #saidUntil: number
  /** The index of the next trade to send. */
  #place = 0

  private constructor(
    ctx: TestContext,
    provider: RecordedProvider,
    trades: readonly ScriptedTrade[],
    record: RecordServer,
  ) {
    this.#ctx = ctx
    this.provider = provider
    this.record = record
    this.#trades = trades
    this.#saidUntil = ctx.now()
    record.script(SYMBOLS[provider], trades)
  }

  static async start(
    ctx: TestContext,
    provider: RecordedProvider,
    trades: readonly ScriptedTrade[],
  ): Promise<RecordedMarket> {
    return new RecordedMarket(ctx, provider, trades, await RecordServer.start(() => ctx.now()))
  }

  async stop(): Promise<void> {
    await this.record.stop()
  }

  /** Opens the feed for a new start of the server. */
  async open(ctx: Ctx): Promise<Feed> {
    const { provider } = this
    const stream = new ScriptedProvider(provider)
    const limits = { ...REST_LIMITS, betweenCallsMs: 0, restMs: 1_000 }
    const trades = new ADAPTERS[provider](new RestClient(ctx, { url: this.record.url }, limits))
    const source = { provider, symbol: SYMBOLS[provider], channel: 'trade' } as const
    const { inForce } = await publishSources(ctx, 'demo', configuration(provider, this.record.url))
    assert(inForce, 'the first configuration counts at once')
    const feed = createMarketFeed({
      clock: ctx.clock,
      log: ctx.log,
      providers: new Map([[provider, Object.assign(stream, { trades })]]),
      symbols: [BTC],
      sourcesOf: () => ({ sources: [source], limits: limitsOf({ limits: {} }, {}) }),
      history: () => Promise.resolve([]),
      onIncident: () => undefined,
    })
    this.#stream = stream
    this.#saidUntil = ctx.now()
    return {
      ...feed,
      async start(sink) {
        sink.sources?.(toHex(inForce.hash))
        await feed.start(sink)
      },
    }
  }

  /** Sends the trades since the last call to the listeners, except trades for which `isDropped` returns true. */
  say(isDropped: (trade: ScriptedTrade) => boolean = () => false): void {
    const now = this.#ctx.now()
    const symbol = SYMBOLS[this.provider]
    for (let trade = this.#trades[this.#place]; trade !== undefined && trade.timeMs <= now; ) {
      if (trade.timeMs > this.#saidUntil && !isDropped(trade))
        this.#stream?.quote(symbol, trade.price, trade.timeMs, { volume: trade.volume ?? '1', ref: trade.ref })
      this.#place += 1
      trade = this.#trades[this.#place]
    }
    this.#stream?.alive(symbol, instant(now))
    this.#saidUntil = now
  }

  /** Makes the record differ from what the stream sent. */
  correctRecord(change: (trade: ScriptedTrade) => ScriptedTrade): void {
    this.record.script(SYMBOLS[this.provider], this.#trades.map(change))
  }

  /** Returns when the price is highest or lowest within a span after a time. */
  extremeAfter(at: Instant, spanMs: number, which: 'highest' | 'lowest'): Instant {
    const sign = which === 'highest' ? -1 : 1
    const trades = this.#trades.filter(({ timeMs }) => timeMs > at && timeMs <= at + spanMs)
    const [first] = trades.toSorted((a, b) => sign * (Number(a.price) - Number(b.price)))
    assert(first, 'the market has trades after the expiry')
    return instant(first.timeMs)
  }

  /** Returns the last trade up to a time, and the first trade after it. */
  around(at: Instant): { readonly last: ScriptedTrade | undefined; readonly next: ScriptedTrade | undefined } {
    return {
      last: this.#trades.findLast(({ timeMs }) => timeMs <= at),
      next: this.#trades.find(({ timeMs }) => timeMs > at),
    }
  }
}

function configuration(provider: RecordedProvider, rest: string): SourceConfiguration {
  const source = { provider, symbol: SYMBOLS[provider], channel: 'trade', class: 'ids' } as const
  return {
    program: 'test',
    providers: [{ name: provider, kind: provider, rest }],
    limits: limitsOf({ limits: {} }, {}),
    symbols: [{ code: BTC.code, id: BTC.id, decimals: BTC.decimals, rounding: 'half-even', sources: [source] }],
  }
}
