import { sql } from 'kysely'
import { describe, expect, it, test } from 'vitest'
import { baseline } from '#server/platform/database/migrations/0001-baseline.ts'
import { migrateToLatest, requireMigrated } from '#server/platform/database/migrate.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { openEmbeddedTestDatabase } from '#test/support/embedded-test-database.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

const UUID = '018f3c1e-7a4b-7c3d-8e5f-0123456789ab'
const UNSAFE_INTEGER = 9_007_199_254_740_993n

async function firstRow(query: ReturnType<typeof sql<Record<string, unknown>>>) {
  return (await query.execute(database.db)).rows[0]
}

async function insert(id: number, amount: number): Promise<void> {
  await database.db.insertInto('quick_amount').values({ id, amount }).execute()
}

async function countAmounts(): Promise<number> {
  return (await database.db.selectFrom('quick_amount').select('id').execute()).length
}

describe('values in the database', () => {
  it('the database returns values as they were written', async () => {
    const at = new Date('2026-03-29T01:30:00.123Z')
    const row = await firstRow(sql`select
      ${UNSAFE_INTEGER}::int8 as big, ${7}::int4 as small, ${-5n}::int4 as small_from_bigint, ${'ä "\\ '}::text as text,
      ${true}::boolean as yes, ${new Uint8Array([0, 92, 255])}::bytea as bytes, ${at}::timestamptz as at,
      ${null}::int8 as none, ${'{"a":[1,"x"]}'}::jsonb as json, ${UUID}::uuid as id, ${1.5}::float8 as real`)
    expect(row).toEqual({
      big: UNSAFE_INTEGER,
      small: 7,
      small_from_bigint: -5,
      text: 'ä "\\ ',
      yes: true,
      bytes: new Uint8Array([0, 92, 255]),
      at,
      none: null,
      json: { a: [1, 'x'] },
      id: UUID,
      real: 1.5,
    })
  })

  it('the database reads rows from parameters that are arrays, one array per column', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from unnest(${[UUID, null]}::uuid[], ${[UNSAFE_INTEGER, -1n]}::int8[], ${[1, 2]}::int4[],
        ${['a,"b\\', '{NULL}']}::text[], ${[true, false]}::boolean[],
        ${[new Uint8Array([1, 255]), new Uint8Array()]}::bytea[]) as t(id, big, small, text, yes, bytes)`.execute(
      database.db,
    )
    expect(rows).toEqual([
      { id: UUID, big: UNSAFE_INTEGER, small: 1, text: 'a,"b\\', yes: true, bytes: new Uint8Array([1, 255]) },
      { id: null, big: -1n, small: 2, text: '{NULL}', yes: false, bytes: new Uint8Array() },
    ])
  })

  it('may be empty arrays, and are read back as arrays', async () => {
    expect(
      await firstRow(
        sql`select ${[]}::int8[] as none, array[1, null, -3]::int8[] as some, array['a']::text[] as texts`,
      ),
    ).toEqual({ none: [], some: [1n, null, -3n], texts: ['a'] })
  })

  it('a count is read as bigint, and a sum as text', async () => {
    expect(await firstRow(sql`select count(*) as n, sum(5::int8) as total, sum(5::int8)::int8 as exact`)).toEqual({
      n: 1n,
      total: '5',
      exact: 5n,
    })
  })
})

describe('changes in the database', () => {
  it('return the number of rows', async () => {
    const inserted = await database.db
      .insertInto('quick_amount')
      .values([
        { id: 1, amount: 100n },
        { id: 2, amount: 200 },
      ])
      .executeTakeFirst()
    const updated = await database.db.updateTable('quick_amount').set({ amount: 5 }).executeTakeFirst()
    const deleted = await database.db.deleteFrom('quick_amount').where('id', '=', 1).executeTakeFirst()
    expect([inserted.numInsertedOrUpdatedRows, updated.numUpdatedRows, deleted.numDeletedRows]).toEqual([2n, 2n, 1n])
  })

  it('report which constraint refused the change', async () => {
    await insert(1, 100)
    await expect(insert(1, 200)).rejects.toMatchObject({
      code: '23505',
      constraint: 'quick_amount_pkey',
      detail: 'Key (id)=(1) already exists.',
    })
    await expect(insert(2, 0)).rejects.toMatchObject({ code: '23514', constraint: 'quick_amount_amount_check' })
  })
})

describe('transactions', () => {
  it('AT47: leave nothing behind when they fail', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await tx.insertInto('quick_amount').values({ id: 1, amount: 1 }).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await countAmounts()).toBe(0)
  })

  it("never see each other's partial changes when many run concurrently", async () => {
    await database.db.insertInto('quick_amount').values({ id: 1, amount: 1 }).execute()
    const addOne = () =>
      database.db.transaction().execute(async (tx) => {
        const { amount } = await tx
          .selectFrom('quick_amount')
          .select('amount')
          .where('id', '=', 1)
          .forUpdate()
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('quick_amount')
          .set({ amount: amount + 1n })
          .where('id', '=', 1)
          .execute()
      })
    await Promise.all(Array.from({ length: 25 }, addOne))
    expect(await database.db.selectFrom('quick_amount').select('amount').execute()).toEqual([{ amount: 26n }])
  })

  it('can roll back to a savepoint', async () => {
    const tx = await database.db.startTransaction().execute()
    await tx.insertInto('quick_amount').values({ id: 1, amount: 1 }).execute()
    const marked = await tx.savepoint('here').execute()
    await marked.insertInto('quick_amount').values({ id: 2, amount: 2 }).execute()
    const back = await marked.rollbackToSavepoint('here').execute()
    await back.commit().execute()
    expect(await countAmounts()).toBe(1)
  })

  it('can set an isolation level', async () => {
    const level = await database.db
      .transaction()
      .setIsolationLevel('serializable')
      .execute((tx) => sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(tx))
    expect(level.rows).toEqual([{ level: 'serializable' }])
  })
})

describe('AT49: migrations', () => {
  test('create functions that use the schema of the migration', async () => {
    await database.asOwner((owner) =>
      owner.transaction().execute(async (tx) => {
        await sql`create schema elsewhere`.execute(tx)
        await sql`set local search_path to elsewhere`.execute(tx)
        await baseline.up(tx)
        const { rows } = await sql<{ paths: string[] }>`
          select proconfig as paths from pg_proc
          where pronamespace = 'elsewhere'::regnamespace and proconfig is not null`.execute(tx)
        expect(rows).toHaveLength(13)
        expect(new Set(rows.flatMap(({ paths }) => paths))).toEqual(new Set(['search_path=elsewhere']))
        await sql`drop schema elsewhere cascade`.execute(tx)
      }),
    )
  })

  test('run once', async () => {
    expect(await migrateToLatest(database.db)).toEqual([])
    await expect(requireMigrated(database.db)).resolves.toBeUndefined()
  })

  test('the server refuses the migrations of a newer version with a clear error', async () => {
    const older = migrateToLatest(database.db, {})
    await expect(older).rejects.toThrow(StartUpError)
    await expect(older).rejects.toThrow('newer version of Fairwick')
  })

  test('the server refuses the migrations of an unreleased version with a clear error', async () => {
    await database.asOwner(async (owner) => {
      await sql`insert into kysely_migration (name, timestamp) values ('20261121-main-job', '')`.execute(owner)
      try {
        await expect(migrateToLatest(owner)).rejects.toThrow('unreleased version of Fairwick')
      } finally {
        await sql`delete from kysely_migration where name = '20261121-main-job'`.execute(owner)
      }
    })
  })

  test('may be started by several processes at once', async () => {
    const url = process.env['TEST_DATABASE_URL']
    const empty = url ? await openPostgresTestDatabase(url) : await openEmbeddedTestDatabase()
    await sql`drop schema public cascade`.execute(empty.db)
    await sql`create schema public`.execute(empty.db)
    await expect(requireMigrated(empty.db)).rejects.toThrow('older version')
    const ran = await Promise.all([migrateToLatest(empty.db), migrateToLatest(empty.db)])
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1)
    await empty.close()
  })
})
