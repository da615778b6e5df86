import { aggregates, type ScriptedTrade } from '#test/support/providers/record-server.ts'
import type { Peer, RestAnswer, WireProtocol } from '#test/support/providers/provider-server.ts'

interface Request {
  readonly method: string
  readonly params?: readonly string[]
  readonly id: number
}

export interface BinanceWorld {
  /** The available symbols in capital letters. */
  readonly symbols: ReadonlySet<string>
  /** Returns the bars of a symbol and interval, in the provider's form. */
  readonly klines?: (symbol: string, interval: string) => readonly (readonly unknown[])[]
  /** The record of the trades of a symbol, ascending by number. */
  readonly trades?: (symbol: string) => readonly ScriptedTrade[]
}

/** Simulates Binance: combined streams and the calls that the adapter makes. */
export function binanceWire(world: BinanceWorld): WireProtocol {
  return {
    maxSubscriptions: 1_024,
    maxConnections: 300,
    names: ({ symbol, channel }) => [`${symbol.toLowerCase()}@${channel}`],
    isFor: (text, subscribed) => subscribed.has((JSON.parse(text) as { stream: string }).stream),
    hear(text, peer) {
      // Binance does not reply to messages of more than 4,088 bytes.
      if (Buffer.byteLength(text) <= 4_088) answerRequest(JSON.parse(text) as Request, peer)
    },
    answer: (url) => answerCall(url, world),
  }
}

/** Simulates single streams, whose messages have no envelope, and whose clients first list the symbols. */
export function binanceRawWire(world: BinanceWorld): WireProtocol {
  return {
    ...binanceWire(world),
    names: ({ symbol, channel }) => [
      `${symbol.replace('/', '').toLowerCase()}@${channel === 'ticker' ? 'miniTicker' : channel}`,
    ],
    isFor(text, subscribed) {
      const { e, s } = JSON.parse(text) as { e?: string; s?: string }
      const channel = e === '24hrMiniTicker' ? 'miniTicker' : e
      return subscribed.has(`${s?.toLowerCase()}@${channel}`)
    },
    answer(url) {
      if (!url.pathname.endsWith('/exchangeInfo')) return answerCall(url, world)
      const symbols = url.pathname.startsWith('/api/') ? [...world.symbols].map(marketOf) : []
      return { status: 200, body: JSON.stringify({ timezone: 'UTC', rateLimits: [], symbols }) }
    },
  }
}

function marketOf(symbol: string) {
  const baseAsset = symbol.replace(/USDT$/, '')
  return {
    symbol,
    status: 'TRADING',
    baseAsset,
    baseAssetPrecision: 8,
    quoteAsset: 'USDT',
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    isSpotTradingAllowed: true,
    permissions: ['SPOT'],
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01000000', maxPrice: '1000000.00000000', tickSize: '0.01000000' },
      { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
    ],
  }
}

function answerRequest({ method, params = [], id }: Request, peer: Peer): void {
  const malformed = params.find((stream) => !/^[^@\s]+@\w+$/.test(stream))
  if (malformed !== undefined)
    return peer.send(JSON.stringify({ error: { code: 2, msg: `Invalid request: ${malformed}` }, id }))
  if (method === 'SUBSCRIBE') for (const stream of params) peer.subscribed.add(stream)
  if (method === 'UNSUBSCRIBE') for (const stream of params) peer.subscribed.delete(stream)
  peer.send(JSON.stringify({ result: method === 'LIST_SUBSCRIPTIONS' ? [...peer.subscribed] : null, id }))
}

function answerCall({ pathname, searchParams }: URL, { symbols, klines, trades }: BinanceWorld): RestAnswer {
  const symbol = searchParams.get('symbol') ?? ''
  if (!symbols.has(symbol)) return { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}' }
  if (pathname === '/api/v3/exchangeInfo')
    return { status: 200, body: JSON.stringify({ timezone: 'UTC', symbols: [{ symbol, status: 'TRADING' }] }) }
  if (pathname === '/api/v3/aggTrades') {
    const query = (name: string): number | null => (searchParams.has(name) ? Number(searchParams.get(name)) : null)
    return { status: 200, body: JSON.stringify(aggregates(trades?.(symbol) ?? [], query)) }
  }
  if (pathname !== '/api/v3/klines') return { status: 404, body: '<html>404 Not found</html>' }
  const from = Number(searchParams.get('startTime'))
  const to = Number(searchParams.get('endTime') ?? Infinity)
  const rows = (klines?.(symbol, searchParams.get('interval') ?? '') ?? [])
    .filter(([openTime]) => Number(openTime) >= from && Number(openTime) <= to)
    .slice(0, Number(searchParams.get('limit') ?? 500))
  return { status: 200, body: JSON.stringify(rows) }
}
