import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'

/** The used part of an exchange object of the ccxt library. Its results are validated before use. */
export interface CcxtExchange {
  readonly has: Readonly<Record<string, unknown>>
  readonly timeframes: Readonly<Record<string, unknown>> | undefined
  readonly urls: Record<string, unknown>
  readonly markets: unknown
  /** The newest data received for each symbol. */
  readonly trades: unknown
  readonly tickers: unknown
  readonly clients: Readonly<Record<string, CcxtClient>> | undefined
  readonly streaming: Record<string, unknown>
  handleMessage(client: CcxtClient, message: unknown): unknown
  onConnected(client: CcxtClient, message?: unknown): void
  onError(client: CcxtClient, error: unknown): void
  onClose(client: CcxtClient, event: unknown): void
  client(url: string): CcxtClient
  loadMarkets(reload?: boolean): Promise<unknown>
  watchTrades(symbol: string): Promise<unknown>
  watchTicker(symbol: string): Promise<unknown>
  parseOHLCV(row: unknown, market: unknown): unknown
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown>
}

/** One connection of the ccxt library. */
export interface CcxtClient {
  readonly connection?: { terminate?(): void } | undefined
  readonly error?: unknown
  /** The compression of its binary messages, if any. */
  readonly gunzip?: unknown
  readonly inflate?: unknown
  createConnection(): void
  /** Receives every raw message and passes it to the exchange. */
  onMessage(event: { readonly data: unknown }): void
  onMessageCallback(client: CcxtClient, message: unknown): void
  reject(error: unknown): unknown
  onError(error: unknown): void
  send(message: unknown): Promise<unknown>
}

export type CcxtConfig = Readonly<Record<string, unknown>>
/** The supported exchanges, by id. */
export type CcxtLibrary = ReadonlyMap<string, (config: CcxtConfig) => CcxtExchange>

// Not a literal import: the library's types are huge, and it may not be installed.
const LIBRARY: string = 'ccxt'

/** Loads the library, an optional dependency, on demand, because loading takes 1 to 2 s and about 80 MB. */
export async function loadCcxt(): Promise<CcxtLibrary> {
  const library: unknown = await import(LIBRARY).catch(() => {
    throw new Error('ccxt is not installed: npm install --include=optional')
  })
  const all: unknown = isObject(library) ? library.default : null
  const exchanges = isClassOrObject(all) && 'pro' in all && isObject(all.pro) ? all.pro : {}
  const factories = Object.entries(exchanges).flatMap(([id, exchange]) =>
    isClass(exchange) ? [[id, (config: CcxtConfig) => new exchange(config)] as const] : [],
  )
  if (factories.length === 0) throw new Error('the installed ccxt supports no exchange')
  return new Map(factories)
}

function isClassOrObject(value: unknown): value is object {
  return isObject(value) || typeof value === 'function'
}

function isClass(value: unknown): value is new (config: CcxtConfig) => CcxtExchange {
  return typeof value === 'function'
}
