import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onOtherSessions } from '#test/support/one-session.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
const ask = (db = database.db) => sql`select 1 as one`.execute(db)

/** The embedded database would wait for ever, so these tests need PostgreSQL. */
describe.runIf(process.env['TEST_DATABASE_URL'])('a test database on PostgreSQL', () => {
  it('the test database refuses a statement outside an open transaction that waits for this statement', async () => {
    await expect(database.db.transaction().execute(() => ask())).rejects.toThrow('outside the transaction')
    await expect(database.db.connection().execute(() => ask())).rejects.toThrow('outside the transaction')
    await expect(
      database.db.transaction().execute(() => database.db.transaction().execute((tx) => ask(tx))),
    ).rejects.toThrow('outside the transaction')
  })

  it('the test database allows statements in the transaction, after it, and in `onOtherSessions`', async () => {
    const started = await database.db.transaction().execute(async (tx) => {
      await ask(tx)
      await onOtherSessions(() => ask())
      return Promise.resolve().then(() => ask)
    })
    expect((await started()).rows).toEqual([{ one: 1 }])
  })
})
