import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppClient, post } from '#testing/app-client.ts'
import { auditCrowd } from '#testing/crash-drill/audit.ts'
import { Crowd, PAID_IN, prepareCrowd } from '#testing/crash-drill/crowd.ts'
import { Site } from '#testing/crash-drill/site.ts'
import { createEmptyPostgresDatabase } from '#testing/postgres-test-database.ts'

/** The fourth setting: it ends while nobody is there. */
const MISSED = { id: 4, seconds: 8 }
/** At its start a feed tells what happened in the last seconds too; the missed expiry must lie before those. */
const BEYOND_REACH_MS = 6_000
const USERS = 2

let site: Site
let dropDatabase = async () => {}
beforeAll(async () => {
  const url = process.env['TEST_DATABASE_URL']
  const database = url === undefined ? undefined : await createEmptyPostgresDatabase(url)
  if (database) dropDatabase = database.drop
  site = await Site.make(database?.url)
})
afterAll(async () => {
  await site.remove()
  await dropDatabase()
})

describe('a server that is killed with open orders', () => {
  it('settles by the rules or voids what expired meanwhile, keeps the books, and tells the user who comes back', async () => {
    await site.start()
    expect(await site.running.stop()).toBe(0)
    const users = await site.withDatabase(async (db) => {
      await db.updateTable('trade_setting').set({ seconds: MISSED.seconds }).where('id', '=', MISSED.id).execute()
      return prepareCrowd(db, USERS)
    })

    await site.start()
    const crowd = new Crowd(users, site.address)
    await crowd.trades(20)
    const { token } = (await post(site.address, '/user/auth/login', { username: 'demo', password: 'demo1234' })) as {
      token: string
    }
    const order = {
      clientOrderId: 'crash-missed',
      type: 'buy',
      tradeSettingId: MISSED.id,
      amount: 100,
      symbol: 'btc',
      marketType: 'crypto',
    }
    const client = await AppClient.open(site.address, token)
    const taken = await client.order(order)
    expect(taken).toMatchObject({ status: 'success', data: { clientOrderId: order.clientOrderId } })
    client.close()
    await site.running.kill()

    const killedAt = Date.now()
    await vi.waitUntil(() => Date.now() > killedAt + MISSED.seconds * 1_000 + BEYOND_REACH_MS, {
      timeout: 30_000,
      interval: 100,
    })
    await site.start()
    const back = await AppClient.open(site.address, token)
    const told = await back.hear(({ type, data }) => type === 'tradeResult' && data?.['id'] === taken.data?.['id'])
    expect(told.data).toMatchObject({ result: 3, result_amount: 0, void_reason: 'no_tick_before_expiry' })
    // The same order sent again after the crash is the same order.
    expect(await back.order(order)).toMatchObject({ status: 'success', data: { id: taken.data?.['id'] } })
    back.close()
    await crowd.trades(20)
    await crowd.finish()
    expect(await site.running.stop()).toBe(0)

    const audit = await site.withDatabase((db) => auditCrowd(db, crowd.witnesses, PAID_IN))
    expect(audit).toMatchObject({ lost: 0, doubled: 0, wrong: [] })
  }, 180_000)
})
