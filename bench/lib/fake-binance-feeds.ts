/** Returns a feeds file that takes all prices of these symbols from a `fake-binance` process on this port. */
export function speakerFeeds(port: number, symbols: readonly string[]): string {
  return JSON.stringify({
    providers: { binance: { kind: 'binance', url: `ws://127.0.0.1:${port}`, restUrl: `http://127.0.0.1:${port}` } },
    symbols: symbols.map((code) => ({
      code,
      name: code,
      marketType: 'crypto',
      tickSize: '0.0001',
      sources: [{ provider: 'binance', symbol: `${code}USDT` }],
    })),
  })
}
