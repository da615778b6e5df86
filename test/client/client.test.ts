import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeKey as makeKeyContract } from '#contract/keys.ts'
import { assert } from '#core/result.ts'
import { money } from '#core/money/money.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { makeKey } from '#server/users/keys/make-key.ts'
import { setDuration } from '#test/support/force-terms.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { freePort } from '#test/support/nats-server.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'
import { type Client, createClient, type Order, type Result } from '../../clients/js/src/client.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAX_BYTES = 4_096
/** 2 minutes: longer than a restart, after which the client repeats its orders. */
const VALID_MS = 120_000
const ORDER: Order = { type: 'buy', symbol: 'BTC', tradeSettingId: 1, amount: '100.50', validMs: VALID_MS }

it('the built client has at most 4 kB', async () => {
  const built = await build({ configFile: `${ROOT}clients/js/vite.config.ts`, build: { write: false } })
  const [output] = [built].flat()
  assert(output !== undefined && 'output' in output, 'the build has an output')
  const [chunk, ...others] = output.output
  expect(others).toEqual([])
  expect(chunk.imports).toEqual([])
  expect(gzipSync(chunk.code).length).toBeLessThanOrEqual(MAX_BYTES)
})

describe('programs that use the client on a demo whose server restarts', () => {
  let folder: string
  let databaseUrl: string | undefined
  let dropDatabase = async () => {}
  let server: ServerProcess
  let url: string
  let keys: Record<'client' | 'reader' | 'bot' | 'cautiousBot', string>
  const clients: Client[] = []
  const bots: ChildProcess[] = []

  const start = async () => {
    server = await startServerProcess({
      FAIRWICK_DATA_DIR: folder,
      PORT: new URL(url).port,
      LOG_LEVEL: 'warn',
      FAIRWICK_BOTS: 'off',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    })
  }

  /** Shortens the first duration, and makes users with keys, while no server uses the database. */
  async function prepare() {
    const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 2 })
    const vault = createVault([new Uint8Array(32)], createTools().randomBytes)
    const ctx = createContext({ db: database.db, log: quiet, vault })
    const make = async (scope: 'read' | 'trade', userId: string) => {
      const form = makeKeyContract.body.parse({ name: 'program', scope, anywhere: true })
      const key = await makeKey({ ctx, mode: 'demo' }, { userId, isConfirmed: async () => true }, form)
      assert(key.ok, 'the key is made')
      return key.value.secret
    }
    try {
      await setDuration(database.db, 1, 2)
      const user = () => createFundedUser(ctx, money(1_000_000n))
      const trader = await user()
      keys = {
        client: await make('trade', trader),
        reader: await make('read', trader),
        bot: await make('trade', await user()),
        cautiousBot: await make('trade', await user()),
      }
    } finally {
      await database.close()
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairwick-client-'))
    const postgres = process.env['TEST_DATABASE_URL']
    if (postgres) ({ url: databaseUrl, drop: dropDatabase } = await createEmptyPostgresDatabase(postgres))
    url = `http://127.0.0.1:${await freePort()}`
    await start()
    await server.stop()
    await prepare()
    await start()
  })
  afterAll(async () => {
    for (const client of clients) client.close()
    for (const bot of bots) bot.kill('SIGKILL')
    await server.kill()
    await dropDatabase()
    rmSync(folder, { recursive: true, force: true })
  })

  function program(key: string, options: { readonly WebSocket?: typeof WebSocket } = {}): Client {
    const client = createClient({ url, key, WebSocket, ...options })
    clients.push(client)
    return client
  }
  const ordersOf = async (client: Client) => (await client.call('GET /user/trade-log/recent')).data.trades

  it('a program with an API key reads data, gets amounts and prices as text, and gets the code of a refusal', async () => {
    const client = program(keys.reader)
    const { data } = await client.call('GET /user/key')
    expect(data).toMatchObject({ scope: 'read', account: 'demo', balance: '10000' })
    const { currencies } = (await client.call('GET /user/crypto-currency/list')).data
    expect(currencies.find(({ symbol }) => symbol === 'BTC')?.price).toMatch(/^\d+(\.\d+)?$/)
    const unknown = client.call('GET /user/trade/{id}', { params: { id: 'a/b' } })
    await expect(unknown).rejects.toMatchObject({ name: 'FairwickError', code: 'not_found', status: 404 })
    await client.connect()
    await expect(client.place(ORDER)).rejects.toMatchObject({ code: 'key_not_allowed' })
    client.close()
  })

  it('a refused key rejects the connection and the pending orders of the client', async () => {
    const client = program(`fwk_${'0'.repeat(16)}_${'A'.repeat(43)}`)
    const placed = client.place(ORDER)
    const outcomes = await Promise.allSettled([client.connect(), placed])
    expect(outcomes).toMatchObject([{ reason: { code: 'not_signed_in' } }, { reason: { code: 'not_signed_in' } }])
  })

  it('an order whose reply was lost is placed once', async () => {
    const losing = loseFirstReply()
    const client = program(keys.client, { WebSocket: losing.WebSocket })
    await client.connect()
    const placed = await client.place(ORDER)
    expect(losing.sockets).toHaveLength(2)
    expect((await ordersOf(client)).map(({ clientOrderId, amount }) => [clientOrderId, amount])).toEqual([
      [placed.clientOrderId, '100.5'],
    ])
    client.close()
  })

  it('a result is delivered again until its handler has returned, and then never again', async () => {
    const counting = loseFirstReply(0)
    const client = program(keys.client, { WebSocket: counting.WebSocket })
    const received: Result[] = []
    const errors: unknown[] = []
    client.on('error', (error) => errors.push(error))
    client.on('result', async (result) => {
      received.push(result)
      if (received.length === 1) throw new Error('the disk is full')
    })
    await client.connect()
    const cut = () => counting.sockets.at(-1)?.terminate()
    await vi.waitUntil(() => errors.length === 1)
    cut()
    await vi.waitUntil(() => received.length === 2)
    expect(received[1]).toEqual(received[0])
    expect(received[0]?.result_amount).toMatch(/^-?\d+(\.\d+)?$/)
    cut()
    await vi.waitUntil(() => counting.sockets.length === 3)
    // The server sends unseen results before it replies to a later order of the same socket.
    await client.place(ORDER)
    expect(received.filter(({ id }) => id === received[0]?.id)).toHaveLength(2)
    client.close()
  })

  it('neither the client nor the bot loses or duplicates an order when the server is killed and started again', async () => {
    const client = program(keys.client)
    const results: string[] = []
    const before = new Set((await ordersOf(client)).map(({ id }) => id))
    client.on('result', ({ id }) => results.push(id))
    client.watch(['BTC'])
    const states: string[] = []
    client.on('connection', (state) => states.push(state))
    const ticks: string[] = []
    client.on('tick', ({ symbol }) => ticks.push(symbol))
    await client.connect()
    const bot = startBot(keys.bot, { loss: '100000', fast: '2', slow: '4' })
    await bot.until(() => bot.orders().length >= 2)

    const first = await client.place(ORDER)
    // Valid for longer than the start of a server takes on a busy machine.
    const patient = { ...ORDER, validMs: 600_000 }
    const underWay = client.place(patient)
    await server.kill()
    await vi.waitUntil(() => states.at(-1) === 'lost')
    const meanwhile = client.place(patient)
    const tooLate = client.place({ ...ORDER, validMs: 1 }).catch((error: unknown) => error)
    await start()
    const orders = [first, await underWay, await meanwhile]
    // A server that is still starting says so before it reads the order.
    expect(['order_expired', 'restarting']).toContain(((await tooLate) as { code: string }).code)
    const ticksBefore = ticks.length
    await vi.waitUntil(() => ticks.length > ticksBefore)
    expect(new Set(ticks)).toEqual(new Set(['BTC']))

    const atRestart = bot.orders().length
    await bot.until(() => bot.orders().length > atRestart)
    bot.process.kill('SIGINT')
    await once(bot.process, 'close')
    expect(bot.process.exitCode, bot.output()).toBe(0)
    const botOrders = await ordersOf(program(keys.bot))
    expect(bot.orders().toSorted()).toEqual(botOrders.map(({ trx }) => trx).toSorted())
    expect(bot.checked().toSorted(), bot.output()).toEqual(bot.orders().toSorted())
    expect(bot.output()).not.toContain('NOT SIGNED')

    await vi.waitUntil(() => orders.every(({ id }) => results.includes(id)))
    const placed = (await ordersOf(client)).filter(({ id }) => !before.has(id))
    expect(placed.map(({ id }) => id).toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    const own = results.filter((id) => !before.has(id))
    expect(own.toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
  })

  it('the bot places no order when one more lost stake would exceed its daily loss limit', async () => {
    const bot = startBot(keys.cautiousBot, { loss: '99.99', fast: '1', slow: '2' })
    await once(bot.process, 'close')
    expect([bot.process.exitCode, bot.orders()]).toEqual([0, []])
    expect(bot.output()).toContain('Stopped.')
  })

  function startBot(key: string, options: Readonly<Record<string, string>>) {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const bot: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'clients/js/examples/bot.ts', ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], FAIRWICK_URL: url, FAIRWICK_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    bots.push(bot)
    let printed = ''
    for (const stream of [bot.stdout, bot.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const linesWith = (pattern: RegExp) => [...printed.matchAll(pattern)].map(([, trx = '']) => trx)
    return {
      process: bot,
      output: () => printed,
      until: (fits: () => boolean) =>
        vi.waitUntil(fits).catch((cause: unknown) => {
          throw new Error(`the bot printed:\n${printed}`, { cause })
        }),
      orders: () => linesWith(/^([\w-]+) (?:buy|sell) at /gm),
      checked: () => linesWith(/^([\w-]+) result -?[\d.]+, receipts signed: /gm),
    }
  }
})

/** Returns a socket class whose first sockets break before their program has read the reply to an order. */
function loseFirstReply(replies = 1) {
  const sockets: WebSocket[] = []
  let left = replies
  class LosingSocket extends WebSocket {
    constructor(address: string) {
      super(address)
      sockets.push(this)
    }

    override emit(event: string, ...args: unknown[]): boolean {
      if (event === 'message' && left > 0 && String(args[0]).includes('"newTrade"')) {
        left -= 1
        this.terminate()
        return true
      }
      return super.emit(event, ...args)
    }
  }
  return { WebSocket: LosingSocket as typeof WebSocket, sockets }
}
