import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { loadCcxt } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { Ccxt } from '#server/market-data/feeds/providers/ccxt/ccxt.ts'
import { coinbaseAdvanced } from '#server/market-data/feeds/providers/coinbase/coinbase-advanced.ts'
import { coinbaseExchange } from '#server/market-data/feeds/providers/coinbase/coinbase-exchange.ts'
import { finnhub } from '#server/market-data/feeds/providers/finnhub/finnhub.ts'
import {
  PartialBars,
  type Provider,
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
} from '#server/market-data/feeds/providers/provider.ts'
import { damagedPage } from '#test/contracts/damage-contract.ts'
import { binanceRawWire } from '#test/support/providers/binance-wire.ts'
import { countedTools } from '#test/support/providers/provider-recorder.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const RUNS = 60
const MINUTE = 60_000
const [EXCHANGE_PAGE = ''] = readWire('coinbase-exchange-rest-candles-20180201.jsonl')
const [FINNHUB_PAGE = ''] = readWire('finnhub-rest-candle.jsonl')

type Row = readonly [seconds: number, low: number, high: number, open: number, close: number, volume: number]
const ROWS = JSON.parse(EXCHANGE_PAGE) as Row[]
const FIRST = (ROWS.at(-1)?.[0] ?? 0) * 1_000

/** The same bars in the formats of the other providers. */
const BINANCE_PAGE = JSON.stringify(
  ROWS.toReversed().map(([seconds, low, high, open, close, volume]) => {
    const at = seconds * 1_000
    const prices = [open, high, low, close, volume].map((number) => number.toFixed(8))
    return [at, ...prices, at + MINUTE - 1, '1.0', 7, '1.0', '1.0', '0']
  }),
)
const ADVANCED_PAGE = JSON.stringify({
  candles: ROWS.map(([seconds, low, high, open, close, volume]) => {
    const [l, h, o, c, v] = [low, high, open, close, volume].map(String)
    return { start: String(seconds), low: l, high: h, open: o, close: c, volume: v }
  }),
})

const markets = binanceRawWire({ symbols: new Set(['BTCUSDT']) })
const library = await loadCcxt()

let page = ''
let server: ProviderServer
beforeAll(async () => {
  server = await ProviderServer.start({
    maxSubscriptions: 1,
    maxConnections: 1,
    names: () => [],
    isFor: () => false,
    hear: () => undefined,
    answer: (url) => (url.pathname.endsWith('/exchangeInfo') ? markets.answer(url) : { status: 200, body: page }),
  })
})
afterAll(() => server.stop())

const hurry = { rest: { betweenCallsMs: 0 } }
const options = () => ({ name: 'tested', restUrl: server.restUrl, key: 'k3y' })
const SYMBOLS: Readonly<Record<string, string>> = { binance: 'BTCUSDT', ccxt: 'BTC/USDT' }

const PROVIDERS: readonly [string, string, number, () => Provider][] = [
  ['binance', BINANCE_PAGE, FIRST, () => new Binance(options(), countedTools(), hurry)],
  ['coinbase', EXCHANGE_PAGE, FIRST, () => coinbaseExchange(options(), countedTools(), hurry)],
  ['coinbase-advanced', ADVANCED_PAGE, FIRST, () => coinbaseAdvanced(options(), countedTools(), hurry)],
  ['ccxt', BINANCE_PAGE, FIRST, () => new Ccxt(library, { ...options(), exchange: 'binance' }, countedTools(), hurry)],
  ['finnhub', FINNHUB_PAGE, 1_572_910_200_000, () => finnhub(options(), countedTools(), hurry)],
]

describe.each(PROVIDERS)('%s', (name, sound, first, create) => {
  it(`P1: ${RUNS} damaged pages of bars: invents no bar, and treats no missing bar as one without trades`, async () => {
    const provider = create()
    const { history } = provider
    if (history === null) throw new Error('it has no history')
    const symbol = SYMBOLS[name] ?? 'BTC-USD'
    const query: ProviderCandleQuery = {
      symbol,
      interval: '1m',
      from: instant(first),
      before: instant(first + 300 * MINUTE),
    }
    page = sound
    const expected = await history.candles(query)
    expect(expected.length).toBeGreaterThan(4)
    const known = new Set(expected.map(textOf))
    await fc.assert(
      fc.asyncProperty(damagedPage(sound), async (text) => {
        page = text
        const { bars, unread } = await history.candles(query).then(
          (all) => ({ bars: all, unread: [] as readonly number[] }),
          (error: unknown) => {
            // After a `ProviderError` no bar of the reply is known, and a retry makes sense.
            if (!(error instanceof ProviderError)) throw error
            expect(error.retry).toBe(true)
            return error instanceof PartialBars ? error : { bars: [], unread: expected.map(({ openTime }) => openTime) }
          },
        )
        expect(bars.map(textOf).filter((bar) => !known.has(bar))).toEqual([])
        const reported = new Set<number>([...bars.map(({ openTime }) => openTime), ...unread])
        expect(expected.filter(({ openTime }) => !reported.has(openTime))).toEqual([])
      }),
      { numRuns: RUNS },
    )
    await provider.stop()
  })
})

function textOf(bar: ProviderCandle): string {
  return JSON.stringify(bar)
}
