import { resultCode } from '#contract/wire.ts'
import { DRAW, LOSE, type OrderResult, VOID, WIN } from '#core/orders/order.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { unseenResults } from '#server/sockets/live.queries.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { AppClient, get, post } from '#test/support/app-client.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { setDuration } from '#test/support/force-terms.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

/**
 * Durations of the orders, in seconds. These durations are shorter than those that a site offers, so that a killed
 * server misses an expiry within the test's time limit.
 */
const SECONDS = { soon: 2, missed: 12, later: 32 }
const SETTING_IDS = { soon: 1, missed: 2, later: 3 }
/** When a feed starts, it also replays the last seconds. The missed expiry must lie before the replayed prices. */
const REPLAY_WINDOW_MS = 6_000
/** The maximum age of the newest price of BTC, as in the catalogue. */
const MAX_TICK_AGE_MS = 5_000

let folder: string
let databaseUrl: string | undefined
let dropDatabase = async () => {}
let server: ServerProcess | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-crash-'))
  const url = process.env['TEST_DATABASE_URL']
  if (url) ({ url: databaseUrl, drop: dropDatabase } = await createEmptyPostgresDatabase(url))
})
afterEach(() => server?.kill())
afterAll(async () => {
  await dropDatabase()
  rmSync(folder, { recursive: true, force: true })
})

const start = async () => {
  const environment = {
    FAIRWICK_DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    FAIRWICK_BOTS: 'off',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  server = await startServerProcess(environment)
  return server
}
/** Opens the database of the stopped server. */
async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 2 })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

describe('AT14: a server that is killed with open orders', () => {
  it('settles orders that expired during the outage, keeps the ledger balanced, and notifies the user', async () => {
    const fresh = await start()
    expect(await fresh.stop()).toBe(0)
    await withDatabase(async (db) => {
      for (const name of ['soon', 'missed', 'later'] as const) await setDuration(db, SETTING_IDS[name], SECONDS[name])
    })

    const first = await start()
    const { token } = (await post(first.address, '/user/auth/login', { username: 'demo', password: 'demo1234' })) as {
      token: string
    }
    const client = await AppClient.open(first.address, token)
    await client.hear((message) => message['s'] === 'BTCUSDT')
    const ids: Record<string, string> = {}
    for (const name of ['soon', 'missed', 'later'] as const) {
      const answer = await client.order({
        clientOrderId: `crash-${name}`,
        type: 'buy',
        tradeSettingId: SETTING_IDS[name],
        amount: 100,
        symbol: 'btc',
        marketType: 'crypto',
      })
      expect(answer).toMatchObject({ status: 'success', data: { clientOrderId: `crash-${name}` } })
      ids[name] = String(answer.data?.['id'])
    }
    client.close()
    await first.kill()

    const killedAt = Date.now()
    await vi.waitUntil(() => Date.now() > killedAt + SECONDS.missed * 1_000 + REPLAY_WINDOW_MS, {
      interval: 100,
    })
    const second = await start()
    const back = await AppClient.open(second.address, token)
    const results: Record<string, Record<string, unknown>> = {}
    for (const name of ['soon', 'missed', 'later']) {
      const tradeResult = await back.hear(
        (message) => message.type === 'tradeResult' && message.data?.['id'] === ids[name],
      )
      results[name] = tradeResult.data ?? {}
    }
    // Sending the same order again after the crash must not create a second one.
    const again = await back.order({
      clientOrderId: 'crash-soon',
      type: 'buy',
      tradeSettingId: SETTING_IDS.soon,
      amount: 100,
      symbol: 'BTC',
    })
    expect(again).toMatchObject({ status: 'success', data: { id: ids['soon'] } })
    back.say({ action: 'seen', ids: Object.values(ids) })
    const { user } = (await get(second.address, '/user/profile', token)) as {
      user: { balance: number; staked: number }
    }
    expect(await second.stop()).toBe(0)

    await withDatabase(async (db) => {
      const report = await checkLedger(db)
      expect(report.clean).toBe(true)
      expect(report.mismatches).toEqual([])
      expect(await verifyTickChain(db)).toMatchObject({ ok: true })
      const of = await db.selectFrom('order_history').select('user_id').where('id', 'in', Object.values(ids)).execute()
      expect(of).toHaveLength(3)
      const owners = of.map((order) => order.user_id)
      expect(await unseenResults(db, owners, instant(0), 100)).toEqual([])
      const ticks = await loggedPrices(db)
      let balance = 10_000
      for (const [name, id] of Object.entries(ids)) {
        const order = await db.selectFrom('order_history').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        const expected = judge(ticks, Number(order.entry_price), Number(order.expires_ms), order.profit_basis_points)
        expect({ name, result: results[name]?.['result'], change: results[name]?.['result_amount'] }).toEqual({
          name,
          result: resultCode(expected.result),
          change: expected.change,
        })
        expect(order.result).toBe(expected.result)
        balance += expected.change
      }
      // After the restart the feed computes the simulated prices of the outage again, so the missing seconds make no
      // order void.
      expect(results['missed']?.['void_reason']).toBeUndefined()
      expect(results['soon']?.['void_reason']).toBeUndefined()
      expect(user).toMatchObject({ balance: Math.round(balance * 100) / 100, staked: 0 })
    })
  })
})

interface LoggedPrice {
  price: number
  time: number
}

/** Reads BTC's prices, including late evidence, directly from the stored text of the tick log, sorted by time. */
async function loggedPrices(db: Db): Promise<LoggedPrice[]> {
  const batches = await db.selectFrom('tick_batch').select('payload').orderBy('first_seq').execute()
  return batches
    .flatMap(({ payload }) => payload.trim().split('\n'))
    .filter((line) => /^[te] /.test(line))
    .map((line) => line.slice('t '.length).split(' ').map(Number))
    .filter(([, symbolId]) => symbolId === 1)
    .map(([, , price = 0, , time = 0]) => ({ price, time }))
    .toSorted((a, b) => a.time - b.time)
}

/** Recalculates independently the result of a buy order with a stake of 100, from the last price until the expiry. */
function judge(
  prices: readonly LoggedPrice[],
  entry: number,
  expiry: number,
  payoutBasisPoints: number,
): { result: OrderResult; change: number } {
  const last = prices.findLast(({ time }) => time <= expiry)
  if (last === undefined || last.time < expiry - MAX_TICK_AGE_MS) return { result: VOID, change: 0 }
  if (last.price === entry) return { result: DRAW, change: 0 }
  return last.price > entry ? { result: WIN, change: payoutBasisPoints / 100 } : { result: LOSE, change: -100 }
}
