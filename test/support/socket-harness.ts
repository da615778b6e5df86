import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import type { KlineMessage } from '#contract/live/candle-socket.ts'
import { money } from '#core/money/money.ts'
import { createKeyLimits } from '#server/platform/http/key-limits.ts'
import { createKeyOrders } from '#server/users/keys/key-orders.ts'
import { createAuthenticate } from '#server/users/sessions/authenticate.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { createEngine } from '#server/trading/engine/create-engine.ts'
import { createSockets, type SocketsOptions } from '#server/sockets/create-sockets.ts'
import { marketStatus } from '#server/market-data/hours/market-status.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import { RealityChecks } from '#server/users/limits/reality-checks.ts'
import { advanceUntil } from '#test/support/advance-until.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { createFundedUser, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { socketOpened } from '#test/support/socket-opened.ts'
import type { Instant } from '#core/time/instant.ts'
import { createTestContext } from '#test/support/test-context.ts'

const POLL = { interval: 2 }

/** The fields of all socket messages in one type. Each test reads the ones it expects. */
interface SocketMessage {
  readonly type?: string
  readonly status?: string
  readonly code?: string
  readonly field?: string
  readonly message?: string
  readonly reason?: string
  readonly s?: string
  /** A number on the app socket, decimal text on the streams. */
  readonly c?: number | string
  readonly q?: number
  readonly price?: string
  readonly channels?: unknown
  readonly pingMarketStatus?: unknown
  readonly data?: Readonly<Record<string, unknown>>
  readonly k?: KlineMessage['k']
}

/** A socket from its client's point of view. */
export class TestSocket {
  /** All messages, with arrays of ticks split. */
  readonly messages: SocketMessage[] = []
  readonly frames: string[] = []
  closed: { code: number; reason: string } | null = null
  readonly ws: WebSocket

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data) => {
      const text = data instanceof Buffer ? data.toString('utf8') : ''
      this.frames.push(text)
      const message: SocketMessage | SocketMessage[] = JSON.parse(text)
      this.messages.push(...(Array.isArray(message) ? message : [message]))
    })
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') }
    })
    ws.on('error', () => {})
  }

  say(message: object): void {
    this.ws.send(JSON.stringify(message))
  }

  typed(type: string): SocketMessage[] {
    return this.messages.filter((message) => message.type === type)
  }

  prices(symbol: string): number[] {
    return this.messages.flatMap(({ s, c }) => (s === symbol && typeof c === 'number' ? [c] : []))
  }
}

export type LiveBench = Awaited<ReturnType<typeof openLiveBench>>

/** The start conditions: another time, or a feed with history. */
export interface LiveStart {
  readonly at?: Instant
  readonly feed?: ScriptedFeed
}

/** Opens the real sockets with the real engine and tick log on a port of this machine, with prices sent by the test. */
export async function openLiveBench(
  database: TestDatabase,
  change: Partial<SocketsOptions> = {},
  { at, feed: given }: LiveStart = {},
) {
  const ctx = createTestContext(database.db, at)
  const catalogue = fixedCatalogue()
  const feed = given ?? new ScriptedFeed(catalogue.symbols)
  const ticks = createTicks({ ctx, feed, symbols: catalogue.symbols })
  const engine = createEngine({ ctx, ticks, catalogue, connections: database.connections })
  const authenticate = createAuthenticate(ctx)
  const live = createSockets({
    ctx,
    ticks,
    engine,
    catalogue,
    authenticate,
    reality: new RealityChecks(ctx),
    keys: { limits: createKeyLimits(), orders: createKeyOrders(ctx), onShown: () => {} },
    marketStatus: () => marketStatus(catalogue, ctx.now()),
    isOwnOrigin: (origin, host) => origin === undefined || origin === `http://${host}`,
    ...change,
  })
  const server = createServer()
  live.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has one
  const { port } = server.address() as AddressInfo
  await ticks.start()
  await engine.start()
  const sockets: TestSocket[] = []

  /** Advances the clock in small steps until the condition is true. */
  const until = (isSo: () => unknown, stepMs = 20) => advanceUntil(ctx.clock, isSo, { ...POLL, stepMs })

  async function connect(path = '/ws/app', options: ClientOptions = {}): Promise<TestSocket> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
    const socket = new TestSocket(ws)
    sockets.push(socket)
    await socketOpened(ws)
    return socket
  }

  async function signIn(userId: string): Promise<string> {
    return openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'test' })
  }

  return {
    ctx,
    catalogue,
    feed,
    ticks,
    engine,
    live,
    port,
    until,
    connect,
    signIn,
    async user(cash = 100_000n) {
      const userId = await createFundedUser(ctx, money(cash))
      return { userId, token: await signIn(userId) }
    },
    /** Sends a price and waits until it is committed. */
    async priced(symbolId: number, units: number, size = 0): Promise<void> {
      const time = ctx.now()
      feed.tick(symbolId, units, time, size)
      await until(() => {
        const latest = ticks.latest(symbolId)
        return latest?.price === units && latest.time === time
      })
    },
    async close(): Promise<void> {
      await engine.stop()
      for (const { ws } of sockets) ws.terminate()
      await live.stop()
      await ticks.stop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
