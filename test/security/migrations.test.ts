import { type Migration, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { migrateToLatest, requireMigrated } from '#server/platform/database/migrate.ts'
import { migrations } from '#server/platform/database/migrations/index.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'

const DEMO_FUNDS = 1

let database: TestDatabase
let app: TestApp
let alice: TestUser
beforeAll(async () => {
  database = await openTestDatabase()
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterAll(async () => {
  await app.stop()
  await database.close()
})

/** Migrates the schema to a later version, whose migration consists of these statements. */
function migrateWith(...statements: readonly string[]): Promise<string[]> {
  const next: Migration = {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
  return database.asOwner((db) => migrateToLatest(db, { ...migrations, '9999-12-31-next': next }))
}

const deposit = (on: TestApp, amount: number) =>
  on.call(calls.saveDeposit, { token: alice.token, body: { amount, method_id: DEMO_FUNDS } })
const isThere = async (table: string) =>
  (await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(database.db)).rows[0]?.there

it('AT49: a failing migration leaves nothing behind, and old and new servers together keep the ledger reconciled', async () => {
  await expect(
    migrateWith('create table half_done (id int8)', 'update balance set cash = cash + 1', 'alter table nowhere drop x'),
  ).rejects.toThrow('nowhere')
  expect(await isThere('half_done')).toBe(false)
  await expect(requireMigrated(database.db)).resolves.toBeUndefined()
  expect((await deposit(app, 100)).status).toBe(200)

  // The corrected migration runs while the older server continues, and another server joins.
  const added = "alter table app_user add column colour text not null default 'blue'"
  const [ran, ...during] = await Promise.all([
    migrateWith('create table half_done (id int8)', added),
    ...[100, 100, 100].map((amount) => deposit(app, amount)),
  ])
  expect(ran).toEqual(['9999-12-31-next'])
  expect(await isThere('half_done')).toBe(true)
  const newer = await createTestApp(database)
  const after = await Promise.all([app, newer, app, newer].map((server) => deposit(server, 100)))
  expect([...during, ...after].map(({ status }) => status)).toEqual(Array(7).fill(200))
  expect((await newer.signUp('bob')).token).not.toBe('')
  const { user } = (await app.call(calls.profile, { token: alice.token })).body.data
  expect(user.balance).toBe(800)
  expect((await checkLedger(database.db)).clean).toBe(true)
  await newer.stop()

  // The older version is refused at its next start and changes nothing.
  await expect(database.asOwner((db) => migrateToLatest(db))).rejects.toThrow('newer version of Fairwick')
  await expect(requireMigrated(database.db)).rejects.toThrow('newer version of Fairwick')
})
