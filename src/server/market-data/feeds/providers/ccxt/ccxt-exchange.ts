import type { CcxtClient, CcxtConfig, CcxtExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { isObject, readUnmarkedJson } from '#server/market-data/feeds/providers/exact-json.ts'
import { createHideKey, type HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import { ProviderError, type ProviderOptions } from '#server/market-data/feeds/providers/provider.ts'
import type { RestClient } from '#server/market-data/feeds/providers/rest-client.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

export interface ExchangeListener {
  opened(): void
  lost(why: string): void
  /** Called with any message. Returns false for an unreadable one, which is then reported. */
  received(message: unknown): boolean
  /** Called when this code or the library cannot read a message. */
  unreadable(why: string): void
}

export interface ExchangeParts {
  readonly make: (config: CcxtConfig) => CcxtExchange
  readonly options: ProviderOptions
  readonly limits: SocketLimits
  /** All REST calls of the library go through this. */
  readonly rest: RestClient
  readonly listener: ExchangeListener
}

/** Creates an exchange object of the library with exact numbers, our rate limits, and notification of its connections. */
export function makeExchange({ make, options, limits, rest, listener }: ExchangeParts): CcxtExchange {
  const hideKey = createHideKey(options.key)
  const exchange = make(configOf(options, limits, rest))
  Object.assign(exchange.streaming, { connectionTimeout: limits.openWithinMs })
  move(exchange.urls, options)
  const before = {
    handleMessage: exchange.handleMessage.bind(exchange),
    onConnected: exchange.onConnected.bind(exchange),
    onError: exchange.onError.bind(exchange),
    onClose: exchange.onClose.bind(exchange),
    client: exchange.client.bind(exchange),
  }
  const watched = new WeakSet<CcxtClient>()
  // Connections copy the exchange's methods when they are created.
  Object.assign(exchange, {
    handleMessage(from: CcxtClient, message: unknown) {
      const isRead = listener.received(message)
      try {
        return before.handleMessage(from, message)
      } catch (error) {
        if (isRead) listener.unreadable(wordsOf(error, hideKey))
        throw error
      }
    },
    onConnected(from: CcxtClient, message: unknown) {
      listener.opened()
      before.onConnected(from, message)
    },
    onError(from: CcxtClient, error: unknown) {
      listener.lost(wordsOf(error, hideKey))
      before.onError(from, error)
    },
    onClose(from: CcxtClient, event: unknown) {
      if (from.error === undefined || from.error === null) listener.lost('the provider closed it')
      before.onClose(from, event)
    },
    // The library drops bars without a time and treats a missing list as an empty one. Both would look like times without trades.
    parseOHLCVs(rows: unknown, market: unknown) {
      if (!Array.isArray(rows)) throw new ProviderError('the reply contains no bars', { retry: true })
      return rows.map((row: unknown) => exchange.parseOHLCV(row, market))
    },
    // The library requests an agent for unencrypted addresses, such as a local mirror. None is needed.
    getHttpAgentIfNeeded: () => undefined,
    client(url: string) {
      const client = before.client(url)
      if (!watched.has(client)) {
        keepsItsFailures(client)
        readsExactly(client, listener)
      }
      watched.add(client)
      return client
    },
  })
  return exchange
}

/** Cuts all connections of the exchange, except those still being opened. */
export function cutConnections(exchange: CcxtExchange, why: string): void {
  for (const client of Object.values(exchange.clients ?? {})) {
    client.createConnection = () => undefined
    client.onError(new Error(why))
    client.connection?.terminate?.()
  }
}

/** The error text without our key, and without addresses, which may contain it. */
export function wordsOf(error: unknown, hideKey: HideKey): string {
  const words = error instanceof Error ? `${error.constructor.name}: ${error.message}` : 'an unknown fault'
  return hideKey(words)
    .replaceAll(/[a-z]+:\/\/\S+|\?\S+/gi, '…')
    .slice(0, 200)
}

function configOf({ key }: ProviderOptions, limits: SocketLimits, rest: RestClient): CcxtConfig {
  return {
    // `String` keeps numbers as the exchange wrote them. The library's own floats would lose digits.
    number: String,
    newUpdates: true,
    ...(key !== undefined && { apiKey: key }),
    log: () => undefined,
    // Longer than our own time limit for calls, so that ours takes effect first.
    timeout: 600_000,
    fetchImplementation: (address: string, init: RequestInit) => rest.fetch(new URL(address).pathname, address, init),
    options: {
      tradesLimit: 10_000,
      ws: {
        options: { maxPayload: limits.maxBytes },
        backoff: { base: limits.backOffFromMs, max: limits.backOffToMs, stableAfter: limits.steadyAfterMs },
      },
    },
  }
}

/** Points all addresses of the exchange to other hosts, for a mirror or a test. The paths stay the same. */
function move(urls: Record<string, unknown>, { url, restUrl }: ProviderOptions): void {
  for (const [name, value] of Object.entries(urls)) {
    if (isObject(value))
      move(value, { name: '', ...(url !== undefined && { url }), ...(restUrl !== undefined && { restUrl }) })
    if (typeof value !== 'string') continue
    const host = /^wss?:/.test(value) ? url : restUrl
    if (host !== undefined) urls[name] = value.replace(/^\w+:\/\/[^/]+/, host.replace(/\/$/, ''))
  }
}

/**
 * Parses messages in place of the library, which would round numbers and accept the second of two equal names. The library itself reads
 * compressed messages and text that is no JSON.
 */
function readsExactly(client: CcxtClient, listener: ExchangeListener): void {
  const onMessage = client.onMessage.bind(client)
  client.onMessage = (event) => {
    const text = textOf(event.data, client)
    if (text === null || !/^\s*[[{]/.test(text)) return onMessage(event)
    let message: unknown
    try {
      message = readUnmarkedJson(text)
    } catch (error) {
      return listener.unreadable(error instanceof Error ? error.message : 'not readable')
    }
    try {
      client.onMessageCallback(client, message)
    } catch (error) {
      client.reject(error)
    }
  }
}

function textOf(data: unknown, { gunzip, inflate }: CcxtClient): string | null {
  if (typeof data === 'string') return data
  return Buffer.isBuffer(data) && !gunzip && !inflate ? data.toString() : null
}

/** No caller awaits what the library sends, so an unhandled failure would end the process. */
function keepsItsFailures(client: CcxtClient): void {
  const send = client.send.bind(client)
  client.send = (message) => {
    const sent = send(message)
    sent.catch(() => undefined)
    return sent
  }
}
