import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { prepareLongRead } from '#server/db/long-read.queries.ts'
import { connectPostgres } from '#server/db/postgres.ts'
import { systemClock } from '#server/system.ts'
import { DatabaseProxy } from '#testing/database-proxy.ts'
import { quiet } from '#testing/quiet-log.ts'

const url = process.env['TEST_DATABASE_URL']
/** Limits of seconds pass in tenths of them. */
const HURRY = 10
const hurried = {
  steady: () => systemClock.steady() * HURRY,
  after: (ms: number, run: () => void) => systemClock.after(ms / HURRY, run),
}

describe.runIf(url)('A1: a database host that vanishes', () => {
  let proxy: DatabaseProxy
  let database: Database
  beforeEach(async () => {
    proxy = await DatabaseProxy.before(url ?? '')
    database = await connectPostgres({ url: proxy.url, poolSize: 4, log: quiet, clock: hurried })
    await database.enterServerRole()
  })
  afterEach(async () => {
    await database.close()
    await proxy.stop()
  })

  const ways = () => [database.db, database.ordersDb, ...database.orderLanes, database.readsDb, database.leasesDb]
  const answers = async (db = database.db) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows

  it('A1: fails what waits on each way to it, and the next statement goes to the new host', async () => {
    await Promise.all(ways().map(answers))
    proxy.vanish()
    for (const failed of await Promise.allSettled(ways().map(answers))) expect(failed.status).toBe('rejected')
    for (const way of ways()) expect(await answers(way)).toEqual([{ one: 1 }])
  })

  it('A1: replaces connections that nobody uses as soon as one is found dead', async () => {
    // Four of the pool, at once.
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`.execute(database.db)))
    await answers(database.leasesDb)
    proxy.vanish()
    await expect(answers(database.leasesDb)).rejects.toThrow('did not answer')
    for (let times = 0; times < 4; times += 1) expect(await answers()).toEqual([{ one: 1 }])
  })

  it('A1: fails a statement within its limit while new connections are swallowed, and works when they are not', async () => {
    await answers()
    proxy.swallow()
    proxy.vanish()
    await expect(answers(database.leasesDb)).rejects.toThrow('timeout')
    proxy.answer()
    await expect.poll(() => answers(database.leasesDb).catch(() => null)).toEqual([{ one: 1 }])
  })

  it('A1: lets a long read take its time, and no other statement', async () => {
    const sleep = sql`select pg_sleep(2.5)`
    await database.db.transaction().execute(async (tx) => {
      await prepareLongRead(tx)
      await sleep.execute(tx)
    })
    await expect(sleep.execute(database.db)).rejects.toThrow('did not answer')
  })

  it('A1: fails everything at once when it is given up, and closes', async () => {
    await Promise.all(ways().map(answers))
    proxy.vanish()
    const waiting = ways().map(answers)
    database.health.giveUp()
    for (const failed of await Promise.allSettled(waiting)) expect(failed.status).toBe('rejected')
    await expect(answers()).rejects.toThrow('given up')
  })

  it('A1: closes while nothing answers', async () => {
    await Promise.all(ways().map(answers))
    proxy.swallow()
    proxy.vanish()
    const begun = performance.now()
    await database.close()
    expect(performance.now() - begun).toBeLessThan(5_000)
    database = await connectPostgres({ url: url ?? '', poolSize: 1, log: quiet })
  })

  it('A15: remembers that statements failed because the database is read-only, for a while', async () => {
    expect(database.health.writeTrouble()).toBeNull()
    const write = database.db.transaction().execute(async (tx) => {
      await sql`set transaction read only`.execute(tx)
      await sql`create table not_made (id int4)`.execute(tx)
    })
    await expect(write).rejects.toThrow('read-only')
    expect(database.health.writeTrouble()).toBe('read_only')
    await expect.poll(() => database.health.writeTrouble(), { timeout: 3_000 }).toBeNull()
  })
})
