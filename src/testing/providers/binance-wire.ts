import type { Peer, RestAnswer, WireProtocol } from '#testing/providers/provider-server.ts'

interface Request {
  readonly method: string
  readonly params?: readonly string[]
  readonly id: number
}

export interface BinanceWorld {
  /** The symbols it has, in capitals. */
  readonly symbols: ReadonlySet<string>
  /** Rows of the bars of a symbol and interval, as in its answers. */
  readonly klines?: (symbol: string, interval: string) => readonly (readonly unknown[])[]
}

/** Binance's side of the conversation: combined streams, and the few calls we make. */
export function binanceWire(world: BinanceWorld): WireProtocol {
  return {
    mostSubscriptions: 1_024,
    mostConnections: 300,
    names: ({ symbol, channel }) => [`${symbol.toLowerCase()}@${channel}`],
    isFor: (text, subscribed) => subscribed.has((JSON.parse(text) as { stream: string }).stream),
    hear(text, peer) {
      // It falls silent on longer ones.
      if (Buffer.byteLength(text) <= 4_088) answerRequest(JSON.parse(text) as Request, peer)
    },
    answer: (url) => answerCall(url, world),
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

function answerCall({ pathname, searchParams }: URL, { symbols, klines }: BinanceWorld): RestAnswer {
  const symbol = searchParams.get('symbol') ?? ''
  if (!symbols.has(symbol)) return { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}' }
  if (pathname === '/api/v3/exchangeInfo')
    return { status: 200, body: JSON.stringify({ timezone: 'UTC', symbols: [{ symbol, status: 'TRADING' }] }) }
  if (pathname !== '/api/v3/klines') return { status: 404, body: '<html>404 Not found</html>' }
  const from = Number(searchParams.get('startTime'))
  const to = Number(searchParams.get('endTime'))
  const rows = (klines?.(symbol, searchParams.get('interval') ?? '') ?? [])
    .filter(([openTime]) => Number(openTime) >= from && Number(openTime) <= to)
    .slice(0, Number(searchParams.get('limit') ?? 500))
  return { status: 200, body: JSON.stringify(rows) }
}
