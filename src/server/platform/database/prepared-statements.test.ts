import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { StatementNames } from '#server/platform/database/prepared-statements.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'

const OFTEN = 60

describe('the choice of prepared statements', () => {
  it('prepares frequent statements, always under the same name', () => {
    const names = new StatementNames()
    const given = Array.from({ length: OFTEN }, () => names.nameOf('select $1'))
    expect(given[0]).toBeNull()
    expect(given.at(-1)).toBe('s1')
    expect(names.nameOf('select $1')).toBe('s1')
    expect(names.nameOf('select $1, $2')).toBeNull()
  })

  it('limits the number of counted and prepared statements', () => {
    const names = new StatementNames()
    for (let at = 0; at < 5_000; at += 1) names.nameOf(`select $1 -- ${at}`)
    const all = Array.from({ length: 300 }, (_, at) => `select $1, ${at}`)
    for (let use = 0; use < OFTEN; use += 1) for (const text of all) names.nameOf(text)
    const prepared = all.map((text) => names.nameOf(text)).filter((name) => name !== null)
    expect(prepared).toHaveLength(200)
    expect(new Set(prepared).size).toBe(200)
  })
})

describe.runIf(process.env['TEST_DATABASE_URL'])('prepared statements on PostgreSQL', () => {
  it('returns the same results as unprepared statements, also after a table changed', async () => {
    const database = await openPostgresTestDatabase(process.env['TEST_DATABASE_URL'] ?? '')
    try {
      await database.db.connection().execute(async (db: Db) => {
        const read = async () => (await sql`select * from thing where id = ${1}`.execute(db)).rows
        await sql.raw('create temp table thing (id int4)').execute(db)
        await sql.raw('insert into thing values (1)').execute(db)
        for (let use = 0; use < OFTEN; use += 1) expect(await read()).toEqual([{ id: 1 }])
        const { rows } = await sql`select 1 from pg_prepared_statements`.execute(db)
        expect(rows).toHaveLength(1)
        await sql.raw('alter table thing add column name text').execute(db)
        expect(await read()).toEqual([{ id: 1, name: null }])
        await expect(sql`select * from no_such_thing where id = ${1}`.execute(db)).rejects.toThrow('no_such_thing')
        expect(await read()).toEqual([{ id: 1, name: null }])
      })
    } finally {
      await database.close()
    }
  })

  it('never gives one name to two statements, even when pools lend each other connections', async () => {
    const database = await openPostgresTestDatabase(process.env['TEST_DATABASE_URL'] ?? '')
    try {
      const crowd = Array.from({ length: OFTEN }, (_, at) => at)
      const own = await Promise.all(crowd.map((at) => sql`select ${at}::int4 as own`.execute(database.db)))
      expect(own.map(({ rows }) => rows)).toEqual(crowd.map((at) => [{ own: at }]))
      const read = (at: number) => sql`select ${at}::int8 as read, pg_sleep(0.002)`.execute(database.readsDb)
      for (const at of crowd) await read(at)
      // There are more reads than one connection may have pending, so some reads use connections of the pool.
      const reads = await Promise.all(crowd.map(read))
      expect(reads.map(({ rows }) => rows)).toMatchObject(crowd.map((at) => [{ read: BigInt(at) }]))
    } finally {
      await database.close()
    }
  })

  it('a prepared statement fails in a transaction after its table changed, and works in the next transaction', async () => {
    const database = await openPostgresTestDatabase(process.env['TEST_DATABASE_URL'] ?? '')
    try {
      await database.db.connection().execute(async (db: Db) => {
        const read = async (from: Db) => (await sql`select * from thing where id = ${1}`.execute(from)).rows
        await sql.raw('create temp table thing (id int4)').execute(db)
        for (let use = 0; use < OFTEN; use += 1) await read(db)
        await sql.raw('alter table thing add column name text').execute(db)
        await expect(db.transaction().execute(read)).rejects.toThrow('must not change result type')
        expect(await db.transaction().execute(read)).toEqual([])
      })
    } finally {
      await database.close()
    }
  })
})
