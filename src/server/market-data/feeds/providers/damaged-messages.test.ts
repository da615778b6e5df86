import { expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { BinanceConversation } from '#server/market-data/feeds/providers/binance/binance-conversation.ts'
import { BinanceSession } from '#server/market-data/feeds/providers/binance/binance-session.ts'
import { makeExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-exchange.ts'
import { loadCcxt } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { CcxtTradeDeduplicator } from '#server/market-data/feeds/providers/ccxt/trade-deduplicator.ts'
import { AdvancedConnection } from '#server/market-data/feeds/providers/coinbase/advanced-connection.ts'
import { ExchangeConnection } from '#server/market-data/feeds/providers/coinbase/exchange-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { FinnhubConnection } from '#server/market-data/feeds/providers/finnhub/finnhub-connection.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import type { ProviderSink, ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { REST_LIMITS, RestClient } from '#server/market-data/feeds/providers/rest-client.ts'
import { SOCKET_LIMITS } from '#server/market-data/feeds/providers/socket-limits.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { describeDamage, type Json } from '#test/contracts/damage-contract.ts'
import { hear, SILENT_LINE } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

type Channel = ProviderSymbol['channel']
type Fields = Readonly<Record<string, Json>>

const fieldsOf = (json: Json | undefined): Fields => (isObject(json) ? json : {})
const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? json : [])
const textOf = (json: Json | undefined) => (typeof json === 'string' ? json : JSON.stringify(json))
/** Creates a clock that shows the time of the recording. */
const clockAt = (ms: number) => new FakeClock(ms)

function quote(
  symbol: Json | undefined,
  price: Json | undefined,
  volume: Json | undefined,
  time: Json | undefined,
): Quote[] {
  const at = typeof time === 'string' ? Date.parse(time) : Number(time)
  if (typeof symbol !== 'string' || !Number.isSafeInteger(at)) return []
  return [{ symbol, price: textOf(price), volume: textOf(volume), time: instant(at) }]
}

// Binance: recorded trades, and tickers in the recorded format. Each ticker names the trade before it.
const BINANCE_TRADES = readWire('binance-spot-btcusdt-trade-20240808.jsonl.gz').slice(0, 4_000)
const [BINANCE_TICKER = ''] = readWire('binance-spot-24hrticker-quoted.jsonl')

function binanceTicker(id: number, price: string, time: number): string {
  const data = { ...(JSON.parse(BINANCE_TICKER) as object), E: time, C: time, L: id, c: price }
  return JSON.stringify({ stream: 'btcusdt@ticker', data })
}

function tradeIn(text: string) {
  return (JSON.parse(text) as { data: { t: number; p: string; q: string; T: number } }).data
}

/** Every 40th recorded trade, so that tickers can arrive between two trades. */
const SPARSE = BINANCE_TRADES.filter((text, nth) => nth % 40 === 0 && tradeIn(text).t > 0).map((text, nth) =>
  text.replace(/"t":\d+/, `"t":${5_000 + nth}`),
)

function binanceStream(channel: Channel): string[] {
  return SPARSE.flatMap((text, nth) => {
    const { t, p, T } = tradeIn(text)
    const next = SPARSE[nth + 1]
    const soon = next === undefined ? T + 1_000 : Math.min(T + 1_000, tradeIn(next).T - 1)
    const tickers = soon > T ? [binanceTicker(t, p, soon)] : []
    return channel === 'trade' ? [text, ...tickers] : tickers
  })
}

function binanceSays(json: Json): Quote[] {
  const { stream, data } = fieldsOf(json)
  const { s, p, q, T, c, E } = fieldsOf(data)
  return stream === 'btcusdt@trade' ? quote(s, p, q, T) : quote(s, c, '0', E)
}

function readBinance(channel: Channel) {
  return (sink: ProviderSink) => {
    const symbol = { symbol: 'BTCUSDT', channel }
    const session = new BinanceSession(clockAt(1_723_161_600_000), sink, () => undefined)
    session.follow(symbol)
    const talk = new BinanceConversation(SILENT_LINE, ['btcusdt@trade', 'btcusdt@ticker'], {
      received: (message) => session.take(message),
      unread: (trade) => session.unread(trade, () => true),
      refused: () => undefined,
    })
    return (text: string) => hear(talk, text)
  }
}

for (const channel of ['trade', 'ticker'] as const)
  describeDamage({
    name: `binance, ${channel}`,
    messages: binanceStream(channel),
    statements: binanceSays,
    begin: readBinance(channel),
    // A missing trade leaves a gap in the ids. A missing ticker cannot be detected, because the next ticker replaces
    // it.
    seesOrder: channel === 'trade',
    tellsRepeats: true,
  })

// Coinbase Exchange: recorded matches, and heartbeats that name the match before them.
interface ExchangeMatch {
  readonly type: string
  readonly product_id: string
  readonly trade_id: number
  readonly time: string
}

const isMatch = (type: unknown): boolean => type === 'match' || type === 'last_match'

function exchangeStream(): { messages: string[]; products: Set<string> } {
  const matches = readWire('coinbase-exchange-ticker-match-20210417.jsonl')
    .map((text) => ({ text, ...(JSON.parse(text) as ExchangeMatch) }))
    .filter(({ type }) => isMatch(type))
  const messages = matches.flatMap(({ text, product_id: product, trade_id: id, time }, nth) => {
    const next = matches.slice(nth + 1).find((one) => one.product_id === product)?.time ?? '2021-04-18T00:00:00Z'
    // A heartbeat confirms the time up to 251 ms before it.
    const at = new Date(Math.min(Date.parse(time) + 400, Date.parse(next) + 250)).toISOString()
    return [text, JSON.stringify({ type: 'heartbeat', last_trade_id: id, product_id: product, sequence: 7, time: at })]
  })
  return { messages, products: new Set(matches.map(({ product_id: product }) => product)) }
}

const EXCHANGE = exchangeStream()
describeDamage({
  name: 'coinbase',
  messages: EXCHANGE.messages,
  statements(json) {
    const { type, product_id: product, price, size, time } = fieldsOf(json)
    return isMatch(type) ? quote(product, price, size, time) : []
  },
  begin(sink) {
    const symbols = new Map([...EXCHANGE.products].map((product) => [product, 'trade' as const]))
    const deduplicator = new CoinbaseTradeDeduplicator(sink, { clock: clockAt(Date.UTC(2021, 3, 18)) })
    const talk = new ExchangeConnection({ line: SILENT_LINE, symbols, deduplicator, sink })
    return (text) => hear(talk, text)
  },
  seesOrder: true,
  tellsRepeats: true,
})

// Coinbase Advanced Trade: a recording with heartbeats. After a gap in the message numbers the connection is replaced.
const ADVANCED = readWire('coinbase-advanced-interleaved-20260809.jsonl.gz').filter((text) => !text.includes('l2_data'))
const PRODUCTS = ['BTC-USD', 'ETH-USD']

function advancedSays(channel: Channel) {
  return (json: Json): Quote[] => {
    const { channel: of, timestamp, events } = fieldsOf(json)
    if (channel === 'ticker')
      return of !== 'ticker'
        ? []
        : listOf(events).flatMap((event) =>
            listOf(fieldsOf(event)['tickers']).flatMap((one) => {
              const { product_id: product, price } = fieldsOf(one)
              return quote(product, price, '0', timestamp)
            }),
          )
    if (of !== 'market_trades') return []
    return listOf(events).flatMap((event) =>
      listOf(fieldsOf(event)['trades'])
        .toReversed()
        .flatMap((one) => {
          const { product_id: product, price, size, time } = fieldsOf(one)
          return quote(product, price, size, time)
        }),
    )
  }
}

const numbered = (text: string, nth: number) => text.replace(/"sequence_num":\d+/, `"sequence_num":${nth}`)

function readAdvanced(channel: Channel) {
  const granted = { heartbeats: ['heartbeats'], market_trades: PRODUCTS, ticker: PRODUCTS }
  const answer = { channel: 'subscriptions', timestamp: '2026-08-09T21:05:38Z', events: [{ subscriptions: granted }] }
  /** The last hundred trades of each product up to a message, as at the beginning of a new connection. */
  const snapshots = (at: number) =>
    PRODUCTS.map((product) => {
      const trades = ADVANCED.slice(0, at + 1)
        .flatMap((text) => listOf(fieldsOf(JSON.parse(text) as Json)['events']))
        .flatMap((event) => listOf(fieldsOf(event)['trades']).toReversed())
        .filter((one) => fieldsOf(one)['product_id'] === product)
      return {
        ...answer,
        channel: 'market_trades',
        events: [{ type: 'snapshot', trades: trades.slice(-100).toReversed() }],
      }
    })
  return (sink: ProviderSink) => {
    const symbols = new Map(PRODUCTS.map((product) => [product, channel]))
    const deduplicator = new CoinbaseTradeDeduplicator(sink, { clock: clockAt(Date.UTC(2026, 7, 10)) })
    let isBroken = false
    let sent = 0
    let shift = 0
    const open = () => {
      isBroken = false
      const line = { ...SILENT_LINE, fail: () => void (isBroken = true) }
      return new AdvancedConnection({ line, symbols, deduplicator, sink })
    }
    let talk = open()
    const say = (message: object) => {
      hear(talk, JSON.stringify({ ...message, sequence_num: sent }))
      sent += 1
    }
    say(answer)
    shift = sent
    return (text: string, at: number) => {
      hear(
        talk,
        text.replace(/"sequence_num":(\d+)/, (_, nth: string) => `"sequence_num":${Number(nth) + shift}`),
      )
      if (!isBroken) return
      talk = open()
      sent = 0
      say(answer)
      if (channel === 'trade') for (const snapshot of snapshots(at)) say(snapshot)
      // The following message has the next number.
      shift = sent - at - 1
    }
  }
}

for (const channel of ['trade', 'ticker'] as const)
  describeDamage(
    {
      name: `coinbase-advanced, ${channel}`,
      messages: ADVANCED,
      statements: advancedSays(channel),
      begin: readAdvanced(channel),
      dress: numbered,
      seesOrder: true,
      tellsRepeats: channel === 'trade',
    },
    120,
  )

const firstTimeIn = (text: string) =>
  Math.min(...(JSON.parse(text) as { data: { t: number }[] }).data.map(({ t }) => t))

// Finnhub: recorded frames of several years, oldest first. Their odd lots and trades outside the session are
// heartbeats.
const FINNHUB = [
  ...readWire('finnhub-trade-stocks-quoted.jsonl'),
  ...readWire('finnhub-trade-aapl-20230331.jsonl'),
  ...readWire('finnhub-trade-crypto-quoted.jsonl'),
].toSorted((a, b) => firstTimeIn(a) - firstTimeIn(b))

describeDamage({
  name: 'finnhub',
  messages: FINNHUB,
  statements(json) {
    const trades = listOf(fieldsOf(json)['data']).map(fieldsOf)
    return trades.flatMap(({ s, p, v, t }) => quote(s, p, v, t)).toSorted((a, b) => a.time - b.time)
  },
  begin(sink) {
    const names = FINNHUB.flatMap((text) => [...text.matchAll(/"s":"([^"]+)"/g)].map(([, name = '']) => name))
    const symbols = new Map(names.map((name) => [name, 'trade' as const]))
    const deduplicator = new FinnhubTradeDeduplicator(sink, { clock: clockAt(Date.UTC(2030, 0, 1)) })
    const talk = new FinnhubConnection({ line: SILENT_LINE, symbols, deduplicator, sink })
    return (text) => hear(talk, text)
  },
  seesOrder: false,
  tellsRepeats: false,
})

// Any other exchange, through the library: Binance's messages without their wrapping.
const library = await loadCcxt()

/** One exchange object for all readers, because creating one is slow. It forgets the messages of the previous reader. */
const readerOfLibrary = (() => {
  const make = library.get('binance')
  if (make === undefined) throw new Error('ccxt has no binance')
  const clock = clockAt(1_723_161_600_000)
  let deduplicator: CcxtTradeDeduplicator | null = null
  const exchange = makeExchange({
    make,
    options: { name: 'b' },
    limits: SOCKET_LIMITS,
    rest: new RestClient({ clock }, { url: '' }, REST_LIMITS),
    listener: {
      opened: () => undefined,
      lost: () => undefined,
      received: () => true,
      unreadable: () => deduplicator?.unread(),
    },
  })
  const client = exchange.client('wss://stream.binance.com:9443/ws/0')
  return (channel: Channel) => (sink: ProviderSink) => {
    const reader = new CcxtTradeDeduplicator({ symbol: 'BTCUSDT', channel }, clock, sink)
    deduplicator = reader
    Object.assign(exchange, { trades: {}, tickers: {} })
    return (text: string) => {
      client.onMessage({ data: text })
      const { trades, tickers } = exchange
      if (channel === 'trade') reader.trades(isObject(trades) ? trades['BTCUSDT'] : null, true)
      else if (isObject(tickers) && 'BTCUSDT' in tickers) reader.ticker(tickers['BTCUSDT'])
    }
  }
})()
const readByLibrary = readerOfLibrary('trade')

describeDamage(
  {
    name: 'ccxt, ticker',
    messages: SPARSE.slice(0, 40).map((text) => {
      const { p, T } = tradeIn(text)
      return JSON.stringify({
        e: '24hrMiniTicker',
        E: T,
        s: 'BTCUSDT',
        c: p,
        o: '1.0',
        h: '9.0',
        l: '1.0',
        v: '5',
        q: '5',
      })
    }),
    statements(json) {
      const { s, c, E } = fieldsOf(json)
      return quote(s, c, '0', E)
    },
    begin: readerOfLibrary('ticker'),
    seesOrder: false,
    tellsRepeats: true,
    mayMiss: true,
  },
  60,
)

describeDamage(
  {
    name: 'ccxt, trade',
    messages: SPARSE.slice(0, 40).map((text) => JSON.stringify((JSON.parse(text) as { data: Json }).data)),
    statements(json) {
      const { s, p, q, T } = fieldsOf(json)
      return quote(s, p, q, T)
    },
    begin: readByLibrary,
    seesOrder: false,
    tellsRepeats: true,
    mayMiss: true,
  },
  60,
)

test('P23: no adapter makes a price of a damaged message that random damage once produced', () => {
  const text =
    '{"e":"trade","E":"1723161255343","s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":{"":{"":"1000"}},"T":" 1","m":true,"M":true}'
  const quotes: Quote[] = []
  const sink: ProviderSink = {
    quote: (one) => void quotes.push(one),
    alive: () => undefined,
    trouble: () => undefined,
    connected: () => undefined,
    unused: () => undefined,
  }
  readByLibrary(sink)(text)
  readBinance('trade')(sink)(text)
  expect(quotes).toEqual([])
})
