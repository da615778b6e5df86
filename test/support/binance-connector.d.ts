/** Types for the parts of the connector that the tests use. The package has none. */
declare module '@binance/connector' {
  interface StreamOptions {
    readonly wsURL: string
    readonly combinedStreams?: boolean
    readonly logger?: object
    readonly callbacks: { readonly open?: () => void; readonly message?: (text: string) => void }
  }
  export class WebsocketStream {
    constructor(options: StreamOptions)
    kline(symbol: string, interval: string): void
    ticker(symbol: string): void
    miniTicker(symbol: string): void
    subscribe(streams: string | readonly string[]): void
    unsubscribe(streams: string | readonly string[]): void
    disconnect(): void
  }
  export class Spot {
    constructor(key: string, secret: string, options: { readonly baseURL: string })
    ping(): Promise<{ data: unknown }>
    time(): Promise<{ data: { serverTime: number } }>
    exchangeInfo(options?: object): Promise<{ data: unknown }>
    klines(symbol: string, interval: string, options?: object): Promise<{ data: unknown[][] }>
    ticker24hr(symbol?: string, symbols?: readonly string[]): Promise<{ data: unknown }>
    tickerPrice(symbol?: string, symbols?: readonly string[]): Promise<{ data: unknown }>
    trades(symbol: string, options?: object): Promise<{ data: unknown }>
    aggTrades(symbol: string, options?: object): Promise<{ data: unknown }>
    bookTicker(symbol: string): Promise<{ data: unknown }>
  }
}
