import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '#server/platform/database/tables.ts'
import { openEmbedded, type TestDatabase } from '#test/support/database.ts'
import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { onDatabase } from './database-store.ts'
import { FaultyConnection } from './faulty-connection.ts'
import { faultyDialect } from './faulty-dialect.ts'
import { ProcessState } from './process-state.ts'
import { NO_FAULTS } from './plan.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openEmbedded()
})
afterAll(() => database.close())

it.each([
  ['is lost', { ...NO_FAULTS, lostAck: 1 }],
  ['never comes, as it was refused', { ...NO_FAULTS, refused: 1 }],
])('the faulty connection leaves no open transaction when its first reply %s', async (_, faults) => {
  const kernel = new Kernel()
  const store = await onDatabase(database)(kernel)
  const random = new Random(1, 'faults')
  const connection = new FaultyConnection({
    kernel,
    random,
    state: new ProcessState(kernel),
    faults: () => faults,
    isOut: () => false,
  })
  const db = new Kysely<Tables>({ dialect: faultyDialect(store.shared, connection) })
  const trying = db.transaction().execute(() => Promise.resolve('begun'))
  const outcome = trying.catch((error: Error) => error.name)
  await kernel.runUntil(1_000)
  expect(await outcome).not.toBe('begun')
  // All users share the session, so it must contain no open transaction.
  const users = (db: Kysely<Tables>) => db.selectFrom('app_user').select('id').execute()
  expect(await users(database.db)).toEqual([])
  expect(await database.db.transaction().setIsolationLevel('serializable').execute(users)).toEqual([])
})
