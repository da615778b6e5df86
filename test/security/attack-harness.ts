import { connect as connectTcp } from 'node:net'
import { expect } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { calls } from '#contract/calls.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { advanceUntil } from '#test/support/advance-until.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { socketOpened } from '#test/support/socket-opened.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'

const BTC = 1
const DEMO_FUNDS = 1
const POLL = { interval: 5 }

/** The fields of all socket messages in one type. Each test reads the ones it expects. */
type Said = Readonly<Record<string, unknown>> & { readonly type?: string; readonly code?: string }

/** A client of `/ws/app` that can send anything. */
export class RawClient {
  readonly said: Said[] = []
  closed: number | null = null
  readonly ws: WebSocket

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data) => {
      const message: Said | Said[] = JSON.parse(data instanceof Buffer ? data.toString('utf8') : '{}')
      this.said.push(...(Array.isArray(message) ? message : [message]))
    })
    ws.on('close', (code) => {
      this.closed = code
    })
    ws.on('error', () => {})
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  answers(type: string): Said[] {
    return this.said.filter((message) => message.type === type)
  }
}

/** Opens the whole server on a port of this machine, with prices sent by the test, and the attackers' tools. */
export async function openAttackBench(database: TestDatabase, options: Parameters<typeof createTestApp>[1] = {}) {
  const app: TestApp = await createTestApp(database, options)
  await app.startMarkets()
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(address).port)
  const clients: RawClient[] = []

  /** Advances the clock in small steps until the condition is true. */
  const until = (isSo: () => unknown, stepMs = 20) => advanceUntil(app.ctx.clock, isSo, { ...POLL, stepMs })

  /** Sends a price of Bitcoin and waits until it is committed. */
  async function priced(units: number): Promise<void> {
    const time = app.ctx.now()
    app.feed.tick(BTC, units, time)
    await until(() => app.ticks.latest(BTC)?.time === time)
  }

  async function connect(path = '/ws/app', change: ClientOptions = {}): Promise<RawClient> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, change)
    const client = new RawClient(ws)
    clients.push(client)
    await socketOpened(ws)
    return client
  }

  /** Creates a verified user with this balance. */
  async function funded(amount = 1_000, name?: string): Promise<TestUser> {
    const user = await app.verifiedUser(name)
    await app.call(calls.saveDeposit, { token: user.token, body: { amount, method_id: DEMO_FUNDS } })
    return user
  }

  /** Sends bytes on a new connection and returns everything until the server closed it. */
  async function raw(text: string | Buffer, { endsAfter = '' } = {}): Promise<string> {
    const line = connectTcp(port, '127.0.0.1')
    let receivedText = ''
    line.on('data', (bytes) => {
      receivedText += bytes.toString('latin1')
      if (endsAfter !== '' && receivedText.includes(endsAfter)) line.destroy()
    })
    line.on('error', () => {})
    let isOver = false
    line.once('close', () => {
      isOver = true
    })
    line.write(text)
    await until(() => isOver, 100)
    return receivedText
  }

  return {
    app,
    address,
    port,
    until,
    priced,
    connect,
    funded,
    raw,
    /** Returns the user's available, staked and held money. */
    async moneyOf({ token }: TestUser) {
      const { balance, staked, withdrawing } = (await app.call(calls.profile, { token })).body.data.user
      return { balance, staked, withdrawing }
    },
    /** Fails unless the ledger reconciles. */
    async expectSoundBooks(): Promise<void> {
      expect((await checkLedger(app.ctx.db)).clean).toBe(true)
    },
    async close(): Promise<void> {
      for (const { ws } of clients) ws.terminate()
      await app.stop()
    },
  }
}

export type AttackBench = Awaited<ReturnType<typeof openAttackBench>>
