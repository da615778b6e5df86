import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TRANSFER_KINDS } from '#core/ledger/transfer-kinds.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { migrations } from '#server/platform/database/migrations/index.ts'
import { openEmbeddedTestDatabase } from '#test/support/embedded-test-database.ts'
import { historyRow } from '#test/support/history-row.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'

const DRAW_ID = '018f3c1e-7a4b-7c3d-8e5f-000000000001'
const VOID_ID = '018f3c1e-7a4b-7c3d-8e5f-000000000002'
const MIGRATION_BEFORE = '0001-baseline'

let database: Awaited<ReturnType<typeof openEmbeddedTestDatabase>>
beforeAll(async () => {
  const url = process.env['TEST_DATABASE_URL']
  database = url ? await openPostgresTestDatabase(url) : await openEmbeddedTestDatabase()
})
afterAll(() => database.close())

function addOrder(id: string, result: number, voidReason: string | null): Promise<unknown> {
  const order = historyRow({ user_id: DRAW_ID, id, settled_ms: 1_000, result, void_reason: voidReason })
  return database.db.insertInto('order_history').values(order).execute()
}

it('void orders of the first schema get a result of their own', async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await migrateToLatest(database.db, Object.fromEntries([[MIGRATION_BEFORE, migrations[MIGRATION_BEFORE]!]]))
  await addOrder(DRAW_ID, 3, null)
  await addOrder(VOID_ID, 3, 'no_price_after_expiry')

  await migrateToLatest(database.db)

  const orders = await database.db.selectFrom('order_history').select(['id', 'result']).orderBy('id').execute()
  expect(orders).toEqual([
    { id: DRAW_ID, result: 3 },
    { id: VOID_ID, result: 4 },
  ])
})

it.each([
  ['a void without a reason', 4, null],
  ['a draw with a reason', 3, 'no_price_after_expiry'],
  ['an unknown result', 5, null],
])('the database refuses %s', async (_what, result, voidReason) => {
  const id = '018f3c1e-7a4b-7c3d-8e5f-000000000003'
  await expect(addOrder(id, result, voidReason)).rejects.toMatchObject({ constraint: 'order_history_result_check' })
})

it('the database knows the same kinds of transfers as the code, and refuses any other', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'transfer_kind_check'`.execute(
    database.db,
  )
  const known = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
  expect(new Set(known)).toEqual(new Set(Object.keys(TRANSFER_KINDS)))

  const transfer = sql`
    insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    values (${DRAW_ID}, ${DRAW_ID}, 'close', 'gift', 'house:bonus', 'cash', 'USD', 1, 0)`
  await expect(transfer.execute(database.db)).rejects.toMatchObject({ constraint: 'transfer_kind_check' })
})
