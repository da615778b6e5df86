import type { CcxtClient, CcxtConfig, CcxtExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { isObject, readUnmarkedJson } from '#server/market-data/feeds/providers/exact-json.ts'
import { createHideKey, type HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import type { ProviderOptions } from '#server/market-data/feeds/providers/provider.ts'
import type { RestClient } from '#server/market-data/feeds/providers/rest-client.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

export interface ExchangeListener {
  opened(): void
  lost(why: string): void
  /** Any message, of whatever kind. Answers false for one that cannot be read, and is reported. */
  heard(message: unknown): boolean
  /** A message could not be read, by us or by the library. */
  unreadable(why: string): void
}

export interface ExchangeParts {
  readonly make: (config: CcxtConfig) => CcxtExchange
  readonly options: ProviderOptions
  readonly limits: SocketLimits
  /** All its calls go through it. */
  readonly rest: RestClient
  readonly listener: ExchangeListener
}

/** An exchange of the library, within our limits: exact numbers, our calls, and we hear of its connections. */
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
  // Connections keep the methods the exchange has when they are made.
  Object.assign(exchange, {
    handleMessage(from: CcxtClient, message: unknown) {
      const isRead = listener.heard(message)
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
    // It wants an agent for addresses without encryption, such as those of a mirror beside us; none is needed.
    getHttpAgentIfNeeded: () => undefined,
    client(url: string) {
      const made = before.client(url)
      if (!watched.has(made)) {
        keepsItsFailures(made)
        readsExactly(made, listener)
      }
      watched.add(made)
      return made
    },
  })
  return exchange
}

/** Cuts all its connections; those that were waiting to be made are not. */
export function cutConnections(exchange: CcxtExchange, why: string): void {
  for (const client of Object.values(exchange.clients ?? {})) {
    client.createConnection = () => undefined
    client.onError(new Error(why))
    client.connection?.terminate?.()
  }
}

/** What went wrong, without our key, and without addresses: they may hold one. */
export function wordsOf(error: unknown, hideKey: HideKey): string {
  const words = error instanceof Error ? `${error.constructor.name}: ${error.message}` : 'an unknown fault'
  return hideKey(words)
    .replaceAll(/[a-z]+:\/\/\S+|\?\S+/gi, '…')
    .slice(0, 200)
}

function configOf({ key }: ProviderOptions, limits: SocketLimits, rest: RestClient): CcxtConfig {
  return {
    // Numbers as they were written: its floats would lose digits.
    number: String,
    newUpdates: true,
    ...(key !== undefined && { apiKey: key }),
    log: () => undefined,
    // Our limit for calls comes before its own.
    timeout: 600_000,
    fetchImplementation: (address: string, init: RequestInit) => rest.fetch(new URL(address).pathname, address, init),
    options: {
      tradesLimit: 10_000,
      ws: {
        options: { maxPayload: limits.mostBytes },
        backoff: { base: limits.backOffFromMs, max: limits.backOffToMs, stableAfter: limits.steadyAfterMs },
      },
    },
  }
}

/** Points all its addresses to other hosts, for a mirror or a test; the paths stay. */
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
 * Reads its messages for it: the library would take numbers apart and believe the second of two equal names. What is packed
 * or no JSON it reads itself.
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

/** Nobody waits for what the library sends, so a failure of it would end the process. */
function keepsItsFailures(client: CcxtClient): void {
  const send = client.send.bind(client)
  client.send = (message) => {
    const sent = send(message)
    sent.catch(() => undefined)
    return sent
  }
}
