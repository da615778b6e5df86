import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { eraseRows } from '#server/site/erasing/erasing.queries.ts'
import { CONFIRMED_FOR_MS } from '#server/users/security/confirm-identity.ts'
import { meanwhile } from '#test/support/meanwhile.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  await app.confirm(alice.token)
  const body = { username: 'alice', mobile: '8123456789', mobile_code: '62', country_code: 'ID' }
  await app.call(calls.saveProfile, { token: alice.token, body })
  app.ctx.clock.jump(CONFIRMED_FOR_MS)
})
afterEach(() => app.stop())

const find = () => app.ctx.db.selectFrom('app_user').selectAll().where('id', '=', alice.id).executeTakeFirstOrThrow()
/** Returns a call that saves the present profile with another first name. */
async function lateSave() {
  const { username, mobile, mobile_code, country_code } = await find()
  const body = { username, mobile, mobile_code, country_code, firstname: 'Late' }
  return () => app.call(calls.saveProfile, { token: alice.token, body })
}
const erasing = { name: 'closed-1', passwordHash: '-', steps: [], ownerHashes: [], record: null, erasedAt: null }

async function closeAndPassTime(): Promise<void> {
  await app.confirm(alice.token)
  await app.call(calls.closeAccount, { token: alice.token, body: { reason: '' } })
  await database.asOwner((db) => sql`update account_closing set erase_ms = erase_ms - ${14 * DAY_MS}::int8`.execute(db))
}

// The embedded database has one session, so no statement can wait for another one.
describe.runIf(process.env['TEST_DATABASE_URL'])('a save that waits for another transaction', () => {
  it('CA18: a save that waits for a confirmed change of the name does not undo the change', async () => {
    const save = await lateSave()
    const { status, body } = await meanwhile(
      app.ctx.db,
      (tx) => tx.updateTable('app_user').set({ username: 'alice.new' }).where('id', '=', alice.id).execute(),
      save,
    )
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'confirmation_needed' })
    expect(await find()).toMatchObject({ username: 'alice.new', firstname: '' })
  })

  it('a save that waits for the erasing of its account writes nothing back', async () => {
    await closeAndPassTime()
    const save = await lateSave()
    await meanwhile(app.ctx.db, (tx) => eraseRows(tx as Tx, { userId: alice.id, ...erasing }), save)
    expect(await find()).toMatchObject({ username: 'closed-1', firstname: '', mobile: '' })
  })
})

it('the database refuses every late change of the personal data of an erased account', async () => {
  await closeAndPassTime()
  await app.ctx.db.transaction().execute((tx) => eraseRows(tx, { userId: alice.id, ...erasing }))
  for (const change of [
    { firstname: 'Late' },
    { image_path: 'late.png' },
    { password_hash: 'late' },
    { email: 'l@te.io' },
  ])
    await expect(app.ctx.db.updateTable('app_user').set(change).where('id', '=', alice.id).execute()).rejects.toThrow(
      /the account is erased/,
    )
})
