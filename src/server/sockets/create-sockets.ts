import type { IncomingMessage, Server } from 'node:http'
import type { MarketStatus } from '#contract/markets.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Authenticate } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Engine } from '#server/trading/engine/engine.ts'
import type { ApiKeyText } from '#core/accounts/api-keys.ts'
import type { KeyLimits } from '#server/platform/http/key-limits.ts'
import type { KeyOrders } from '#server/platform/http/key-orders.ts'
import { KeyMessages } from '#server/sockets/key-messages.ts'
import { AppSocket, type IsTradeRefused } from '#server/sockets/app-socket.ts'
import { CLOSE, type Connection } from '#server/sockets/connection.ts'
import type { SocketEndpoint } from '#server/sockets/socket-endpoint.ts'
import { SocketUpgradeGuard, type OpenPath, type SocketLimits } from '#server/sockets/socket-upgrade-guard.ts'
import { listenForUpgrades } from '#server/sockets/ignored-upgrade.ts'
import { readSocketPath } from '#server/sockets/socket-path.ts'
import { StreamSocket } from '#server/sockets/stream-socket.ts'
import { TickerSocket } from '#server/sockets/ticker-socket.ts'
import { type DueRealityChecks, RealityNotifications } from '#server/sockets/reality-notifications.ts'
import { PracticeAccounts } from '#server/trading/orders/practice-accounts.ts'
import { UserNotifications } from '#server/sockets/user-notifications.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { TickService } from '#server/market-data/ticks.ts'

export type SocketTicks = Pick<
  TickService,
  'latest' | 'quote' | 'day' | 'openCandle' | 'candles' | 'onBatch' | 'onCandleClosed' | 'onDayKnown'
>

/** The services for clients that authenticate with an API key. */
export interface SocketKeys {
  readonly limits: KeyLimits
  readonly orders: KeyOrders
  /** Called with a key that the address of a socket contained. */
  readonly onShown: (key: ApiKeyText) => void
}

export interface SocketsOptions {
  readonly ctx: Ctx
  readonly ticks: SocketTicks
  readonly engine: Pick<Engine, 'place'>
  readonly catalogue: MarketCatalogue
  readonly authenticate: Authenticate
  readonly reality: DueRealityChecks
  /** Sockets at other addresses, such as the back office's, which other parts of the server serve. */
  readonly endpoints?: readonly SocketEndpoint[]
  readonly marketStatus: () => MarketStatus
  /** Returns whether a page at `origin` may open a socket. Without an origin the client is not a browser. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  readonly defaultLanguage?: Language
  /** Returns the client address for limits. Default: the peer's address. A trusted proxy can name another one. */
  readonly addressOf?: (request: IncomingMessage) => string
  /** Returns the country of a client's address, for the country rules. Default: unknown. */
  readonly countryOf?: (request: IncomingMessage) => string | null
  /** Whether the country rules refuse the orders of a user from there. Default: no. */
  readonly isTradeRefused?: IsTradeRefused
  readonly flushMs?: number
  readonly limits?: Partial<SocketLimits>
  readonly keys: SocketKeys
}

export interface Sockets {
  /** Starts to answer upgrade requests of this server. */
  attach(server: Server): void
  /** Returns the number of open sockets and of unsent bytes. */
  load(): { readonly sockets: number; readonly waitingBytes: number }
  /** Closes every socket with 1012, so that clients reconnect to another server. */
  stop(): Promise<void>
}

const FLUSH_MS = 100
const PING_EVERY_MS = 20 * SECOND_MS
const CLOSING_MS = 2 * SECOND_MS

/** Creates all sockets. They subscribe to prices and events, and pass orders to the engine. */
export function createSockets(given: SocketsOptions): Sockets {
  const options = { ...given, authenticate: forTraders(given.authenticate) }
  const { ctx, ticks, catalogue, endpoints = [], flushMs = FLUSH_MS, defaultLanguage = 'en' } = options
  const { isTradeRefused = () => false, countryOf = () => null } = options
  const practice = new PracticeAccounts(ctx.db)
  const users = new UserNotifications({ ...options, practice })
  const reality = new RealityNotifications({ ctx, users, reality: options.reality })
  const keys = new KeyMessages(ctx, options.keys, users)
  const app = new AppSocket({ ...options, users, reality, keys, practice, flushMs, defaultLanguage, isTradeRefused })
  const streams = new StreamSocket({ ctx, ticks, catalogue })
  const ticker = new TickerSocket({ ctx, ticks, catalogue, flushMs })
  const upgradeGuard = new SocketUpgradeGuard({
    ctx,
    isOwnOrigin: options.isOwnOrigin,
    addressOf: options.addressOf ?? ((request) => request.socket.remoteAddress ?? ''),
    countryOf,
    limits: options.limits ?? {},
    onKeyShown: options.keys.onShown,
    readPath: (url) => readSocketPath(url, catalogue, endpoints),
    onOpen,
  })
  const stopBatches = ticks.onBatch((batch) => {
    app.accepted(batch)
    streams.accepted(batch)
    ticker.accepted(batch)
  })
  const stopCandles = ticks.onCandleClosed((closed) => streams.closed(closed))
  const stopDays = ticks.onDayKnown((symbolId) => {
    for (const part of [app, streams, ticker]) part.dayKnown(symbolId)
  })
  const stopHearing = ctx.subscribe(({ kind }) => {
    if (kind === 'markets-changed') app.marketsChanged()
  })
  const detach = new Set<() => void>()
  let cancelPings = keepPinging()

  function onOpen(connection: Connection, path: OpenPath): void {
    switch (path.kind) {
      case 'app':
        return app.open(connection, path.lang)
      case 'streams':
        return streams.open(connection, path.streams, path.isCombined)
      case 'ticker':
        return ticker.open(connection)
    }
  }

  function keepPinging(): () => void {
    return ctx.clock.after(PING_EVERY_MS, () => {
      for (const connection of upgradeGuard.connections) connection.checkAlive()
      cancelPings = keepPinging()
    })
  }

  return {
    attach(server) {
      detach.add(listenForUpgrades(server, (...upgrade) => upgradeGuard.upgrade(...upgrade)))
    },
    load: () => loadOf(upgradeGuard.connections),
    async stop() {
      stopHearing()
      stopBatches()
      stopCandles()
      stopDays()
      cancelPings()
      for (const part of [app, streams, ticker, users]) part.stop()
      await reality.stop()
      for (const endpoint of endpoints) await endpoint.stop()
      await upgradeGuard.closeAll(CLOSE.restarting, 'restarting', CLOSING_MS)
      await users.allConfirmed()
      for (const stopUpgrades of detach) stopUpgrades()
      detach.clear()
    },
  }
}

function loadOf(connections: ReadonlySet<Connection>): ReturnType<Sockets['load']> {
  let waitingBytes = 0
  for (const connection of connections) waitingBytes += connection.waitingBytes
  return { sockets: connections.size, waitingBytes }
}

/** The session of a user who is blocked or has left cannot be used on a socket. */
function forTraders(authenticate: Authenticate): Authenticate {
  return async (token, from) => {
    const user = await authenticate(token, from)
    return user?.isLeaveOnly === true ? null : user
  }
}
