import type { Peer, RestAnswer, WireProtocol } from '#test/support/providers/provider-server.ts'

interface ExchangeRequest {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly product_ids: readonly string[]
  readonly channels: readonly string[]
}

export interface CoinbaseWorld {
  readonly unknown: ReadonlySet<string>
  /** The JSON reply to requests for bars of available products. */
  readonly bars: string
}

/** Simulates Coinbase Exchange. */
export function exchangeWire(world: CoinbaseWorld): WireProtocol {
  return {
    maxSubscriptions: 2_000,
    maxConnections: 1,
    names: ({ symbol }) => [`matches ${symbol}`, `heartbeat ${symbol}`],
    isFor(text, subscribed) {
      const { type, product_id: product } = JSON.parse(text) as { type: string; product_id?: string }
      if (type === 'subscriptions') return false
      return type.endsWith('match') ? subscribed.has(`matches ${product}`) : subscribed.has(`heartbeat ${product}`)
    },
    hear: (text, peer) => hearExchange(JSON.parse(text) as ExchangeRequest, peer, world),
    answer: (url) => answerBars(url, world, '{"message":"NotFound"}'),
  }
}

/** Replies as Coinbase Exchange does: one unknown product makes the exchange ignore the whole request. */
function hearExchange({ type, product_ids, channels }: ExchangeRequest, peer: Peer, { unknown }: CoinbaseWorld): void {
  const wrong = product_ids.find((product) => unknown.has(product))
  if (wrong !== undefined) {
    const reason = `${wrong} is not a valid product`
    return peer.send(JSON.stringify({ type: 'error', message: 'Failed to subscribe', reason }))
  }
  for (const channel of channels)
    for (const product of product_ids)
      if (type === 'subscribe') peer.subscribed.add(`${channel} ${product}`)
      else peer.subscribed.delete(`${channel} ${product}`)
  const all = [...subscriptions(peer)].map(([name, ids]) => ({ name, product_ids: ids.toReversed() }))
  peer.send(JSON.stringify({ type: 'subscriptions', channels: all }))
}

interface AdvancedRequest {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly product_ids?: readonly string[]
  readonly channel: string
}

/** Simulates Coinbase Advanced Trade, which numbers all messages of a connection. */
export function advancedWire(world: CoinbaseWorld): WireProtocol {
  const sent = new WeakMap<Peer, number>()
  return {
    maxSubscriptions: 2_000,
    maxConnections: 1,
    names: ({ symbol, channel }) => [
      `${channel === 'trade' ? 'market_trades' : 'ticker'} ${symbol}`,
      'heartbeats heartbeats',
    ],
    isFor(text, subscribed) {
      const { channel } = JSON.parse(text) as { channel: string }
      if (channel === 'subscriptions') return false
      if (channel === 'heartbeats') return subscribed.has('heartbeats heartbeats')
      const [, product] = /"product_id":"([^"]+)"/.exec(text) ?? []
      return subscribed.has(`${channel} ${product}`) || (channel !== 'market_trades' && channel !== 'ticker')
    },
    dress(text, peer) {
      const number = sent.get(peer) ?? 0
      if (!text.includes('"sequence_num":')) return text
      sent.set(peer, number + 1)
      return text.replace(/"sequence_num":\d+/, `"sequence_num":${number}`)
    },
    hear: (text, peer) => hearAdvanced(JSON.parse(text) as AdvancedRequest, peer, world),
    answer: (url) => answerBars(url, world, '{"error":"NOT_FOUND","message":"valid product_id is required"}'),
  }
}

/** An unknown product causes no error, but is missing from the list of subscriptions. */
function hearAdvanced(request: AdvancedRequest, peer: Peer, { unknown }: CoinbaseWorld): void {
  const { channel, product_ids: products = [channel] } = request
  for (const product of products) if (!unknown.has(product)) peer.subscribed.add(`${channel} ${product}`)
  const events = [{ subscriptions: Object.fromEntries(subscriptions(peer)) }]
  const timestamp = '2026-08-09T21:05:48.228846629Z'
  peer.send(JSON.stringify({ channel: 'subscriptions', timestamp, sequence_num: 0, events }))
}

function subscriptions(peer: Peer): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const name of peer.subscribed) {
    const [channel = '', product = ''] = name.split(' ')
    all.set(channel, [...(all.get(channel) ?? []), product])
  }
  return all
}

function answerBars({ pathname }: URL, { unknown, bars }: CoinbaseWorld, notFound: string): RestAnswer {
  const [, product] = /\/products\/([^/]+)\/candles$/.exec(pathname) ?? []
  if (product === undefined || unknown.has(product)) return { status: 404, body: notFound }
  return { status: 200, body: bars }
}
