import type { RestAnswer, WireProtocol } from '#test/support/providers/provider-server.ts'

export interface FinnhubWorld {
  readonly unknown: ReadonlySet<string>
  /** The JSON reply to requests for bars. */
  readonly bars: string
}

/** Simulates Finnhub, which does not confirm subscriptions and sends pings as messages. */
export function finnhubWire({ unknown, bars }: FinnhubWorld): WireProtocol {
  return {
    maxSubscriptions: 50,
    maxConnections: 1,
    pulse: { everyMs: 50, text: '{"type":"ping"}' },
    names: ({ symbol }) => [symbol],
    isFor: (text, subscribed) => [...subscribed].some((symbol) => text.includes(`"s":"${symbol}"`)),
    hear(text, peer) {
      const { symbol } = JSON.parse(text) as { symbol: string }
      const error = (msg: string) => peer.send(JSON.stringify({ msg, type: 'error' }))
      if (unknown.has(symbol)) error(`Invalid symbol ${symbol}`)
      else if (peer.subscribed.size >= 50) error('Subscribing to too many symbols')
      else peer.subscribed.add(symbol)
    },
    answer({ pathname, searchParams }): RestAnswer {
      if (!/^\/(?:stock|forex|crypto)\/candle$/.test(pathname)) return { status: 404, body: '<html>' }
      if (!unknown.has(searchParams.get('symbol') ?? '')) return { status: 200, body: bars }
      return { status: 403, body: `{"error":"You don't have access to this resource."}` }
    },
  }
}
