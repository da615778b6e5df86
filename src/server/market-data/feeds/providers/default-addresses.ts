interface Addresses {
  readonly stream: string
  readonly rest: string
}

/** The public addresses of the providers with an adapter. Those of Binance serve public market data only. */
export const DEFAULT_ADDRESSES = {
  binance: { stream: 'wss://data-stream.binance.vision', rest: 'https://data-api.binance.vision' },
  coinbase: { stream: 'wss://ws-feed.exchange.coinbase.com', rest: 'https://api.exchange.coinbase.com' },
  'coinbase-advanced': { stream: 'wss://advanced-trade-ws.coinbase.com', rest: 'https://api.coinbase.com' },
  finnhub: { stream: 'wss://ws.finnhub.io', rest: 'https://finnhub.io/api/v1' },
} as const satisfies Record<string, Addresses>
