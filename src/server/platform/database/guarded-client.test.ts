import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Database } from '#server/platform/database/database.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import { connectPostgres } from '#server/platform/database/postgres.ts'
import { DatabaseProxy } from '#test/support/database-proxy.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'

const url = process.env['TEST_DATABASE_URL']

describe.runIf(url)('A1: a database host that vanishes', () => {
  let proxy: DatabaseProxy
  let database: Database
  let clock: FakeClock
  beforeEach(async () => {
    proxy = await DatabaseProxy.before(url ?? '')
    clock = new FakeClock(0)
    database = await connectPostgres({ url: proxy.url, poolSize: 4, log: quiet, clock })
    await database.enterServerRole()
  })
  afterEach(async () => {
    await database.close()
    await proxy.stop()
  })

  const ways = () => [database.db, database.ordersDb, ...database.orderLanes, database.readsDb, database.leasesDb]
  const answers = async (db = database.db) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows

  /** Returns the outcome of `work`, while time passes in steps of a quarter of a second. */
  async function passing<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
    const settling = Promise.allSettled([work])
    for (;;) {
      const [outcome] = (await Promise.race([settling, pause(1)])) ?? []
      if (outcome !== undefined) return outcome
      clock.advance(SECOND_MS / 4)
    }
  }
  const why = async (work: Promise<unknown>): Promise<string> => {
    const outcome = await passing(work)
    return outcome.status === 'rejected' ? String(outcome.reason) : 'it worked'
  }

  it('A1: fails pending statements of all connections, and the next statement reaches the new host', async () => {
    await Promise.all(ways().map((way) => answers(way)))
    proxy.vanish()
    for (const said of await Promise.all(ways().map((way) => why(answers(way)))))
      expect(said).toContain('did not answer')
    for (const way of ways()) expect(await answers(way)).toEqual([{ one: 1 }])
  })

  it('A1: fails pending statements of all connections at the same time', async () => {
    await Promise.all(ways().map((way) => answers(way)))
    proxy.vanish()
    const since = clock.steady()
    await passing(Promise.allSettled(ways().map((way) => answers(way))))
    expect(clock.steady() - since).toBeLessThan(7 * SECOND_MS)
  })

  it('A1: replaces idle connections as soon as one connection is found dead', async () => {
    // Opens four connections of the pool at the same time.
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`.execute(database.db)))
    await answers(database.leasesDb)
    proxy.vanish()
    expect(await why(answers(database.leasesDb))).toContain('did not answer')
    for (let times = 0; times < 4; times += 1) expect(await answers()).toEqual([{ one: 1 }])
  })

  it('A1: fails statements while new connections hang, and recovers afterwards', async () => {
    await answers()
    proxy.swallow()
    proxy.vanish()
    await expect(answers(database.leasesDb)).rejects.toThrow('timeout')
    proxy.answer()
    await expect.poll(() => answers(database.leasesDb).catch(() => null)).toEqual([{ one: 1 }])
  })

  it('A1: allows a long read its full time, but no other statement', async () => {
    const sleep = sql`select pg_sleep(1)`
    await database.db.transaction().execute(async (tx) => {
      await prepareLongRead(tx)
      const sleeping = sleep.execute(tx)
      clock.advance(HOUR_MS / 2)
      await sleeping
    })
    await answers()
    expect(await why(sql`select pg_sleep(600)`.execute(database.db))).toContain('did not answer')
  })

  it('A1: fails everything at once when the database is abandoned, and closes', async () => {
    await Promise.all(ways().map((way) => answers(way)))
    proxy.vanish()
    const waiting = ways().map((way) => answers(way))
    database.health.giveUp()
    for (const failed of await Promise.allSettled(waiting)) expect(failed.status).toBe('rejected')
    await expect(answers()).rejects.toThrow('abandoned')
  })

  it('A1: closes while the database is silent', async () => {
    await Promise.all(ways().map((way) => answers(way)))
    proxy.swallow()
    proxy.vanish()
    expect(await why(database.close())).toBe('it worked')
    database = await connectPostgres({ url: url ?? '', poolSize: 1, log: quiet })
  })

  it('A1: remembers that a connection was refused, for example because none are left', async () => {
    proxy.refuse('53300', 'sorry, too many clients already')
    await expect(answers(database.leasesDb)).rejects.toThrow('too many clients')
    expect(database.health.writeTrouble()).toBe('refused')
    proxy.answer()
    expect(await answers(database.leasesDb)).toEqual([{ one: 1 }])
    clock.advance(MINUTE_MS)
    expect(database.health.writeTrouble()).toBeNull()
  })

  it('A15: remembers for a time that statements failed because the database is read-only', async () => {
    expect(database.health.writeTrouble()).toBeNull()
    const write = database.db.transaction().execute(async (tx) => {
      await sql`set transaction read only`.execute(tx)
      await sql`create table not_made (id int4)`.execute(tx)
    })
    await expect(write).rejects.toThrow('read-only')
    expect(database.health.writeTrouble()).toBe('read_only')
    clock.advance(4 * SECOND_MS)
    expect(database.health.writeTrouble()).toBeNull()
  })
})
