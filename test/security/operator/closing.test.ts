import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { erasingParts } from '#server/app/jobs/jobs.ts'
import { verifyChain } from '#server/audit/verify-audit-chain.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { openRecordsVault } from '#server/platform/encryption/data-keys.ts'
import { eraseDue } from '#server/site/erasing/erase-accounts.ts'
import { addToErasedFile, readErasedFile } from '#server/site/erasing/erased-file.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let folder: string
let app: TestApp
let alice: TestUser
const open = () => createTestApp(database, { environment: { FAIRWICK_DATA_DIR: folder } })
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'closing-'))
  app = await open()
  // The clock of the database decides when a closing is due.
  app.ctx.clock.jump(Date.now() - app.ctx.now())
  alice = await app.verifiedUser('alice')
  await app.confirm(alice.token)
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const randomBytes = (count: number) => app.ctx.randomBytes(count)
const parts = (recordYears = 0) => ({
  ...erasingParts({
    ...app,
    passwords: createPasswords(randomBytes, { memoryCost: 64, timeCost: 1, parallelism: 1 }),
    records: openRecordsVault(folder, undefined, randomBytes),
    config: { mode: 'live', dataDir: folder, tickRetentionDays: 1, bots: false, heartbeatUrl: undefined },
  }),
  recordYears: () => recordYears,
})
const close = (user = alice) => app.call(calls.closeAccount, { token: user.token, body: {} })
const cancel = (user = alice) => app.call(calls.cancelClosing, { token: user.token })
const deposit = (user = alice) =>
  app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: 1 } })
const pass = (days: number) =>
  database.asOwner((db) => sql`update account_closing set erase_ms = erase_ms - ${days * DAY_MS}::int8`.execute(db))
const nameOf = async (id: string) =>
  (await database.db.selectFrom('app_user').select('username').where('id', '=', id).executeTakeFirstOrThrow()).username
const cashOf = async (id: string) =>
  (await database.db.selectFrom('balance').select('cash').where('user_id', '=', id).executeTakeFirstOrThrow()).cash
/** Calls the database function that erases users, with the rights of the server. */
const eraseBySql = (id: string, erasedAt: number | null) =>
  sql`select erase_account(${id}::uuid, 'closed-x', 'x', '{}', '{}', null, null, ${erasedAt}::int8)`.execute(
    database.db,
  )

it('A170: attack: concurrent closing, depositing, cancelling and erasing leave money or an erased account, never both', async () => {
  for (let round = 0; round < 8; round += 1) {
    const user = await app.verifiedUser(`racer${round}`)
    await app.confirm(user.token)
    await close(user)
    // In half of the rounds, the 14 days between the closing and the erasure are not over yet.
    if (round % 2 === 0) await pass(14)
    const [, kept] = await Promise.all([
      deposit(user),
      cancel(user),
      eraseDue(parts()),
      close(user),
      eraseDue(parts()),
      deposit(user),
    ])
    await eraseDue(parts())
    const isErased = (await nameOf(user.id)).startsWith('closed-')
    expect(isErased && (await cashOf(user.id)) !== 0n).toBe(false)
    if (kept.body.data) expect(isErased).toBe(false)
    if (round % 2 === 0) expect(isErased).toBe(true)
  }
})

it('A171: attack: with the rights of the server, a user is erased without a request, too early, or with money left', async () => {
  await expect(eraseBySql(alice.id, null)).rejects.toThrow('something stands in the way')
  await expect(eraseBySql(alice.id, 1)).rejects.toThrow('no backup was restored')
  await close()
  await expect(eraseBySql(alice.id, null)).rejects.toThrow('something stands in the way')
  for (const statement of [
    sql`update account_closing set erase_ms = 0`,
    sql`update account_closing set state = 'erased'`,
    sql`insert into erased_account (user_id, erased_ms) values (${alice.id}, 0)`,
    sql`delete from account_closing`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toThrow(/permission denied|nothing is erased/)
  }
  await cancel()
  await deposit()
  await close()
  await pass(14)
  await expect(eraseBySql(alice.id, null)).rejects.toThrow('something stands in the way')
  await eraseDue(parts())
  expect(await nameOf(alice.id)).toBe('alice')
})

it('A172: attack: texts of the audit log are changed or deleted without the erasure of a user', async () => {
  const owner = await app.staff('owner')
  await owner.call(staffCalls.staffAddUserNote, { params: { id: alice.id }, body: { text: 'Called twice.' } })
  const columns = ['reason', 'before', 'after'] as const
  const lines = await database.db.selectFrom('admin_action').select(columns).where('target', '=', alice.id).execute()
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(lines)).not.toContain('Called')
  expect((await verifyChain(database.db)).broken).toBeNull()
  for (const statement of [
    sql`delete from admin_action_words`,
    sql`update admin_action_words set reason = 'other'`,
    sql`insert into admin_action_words (line_id, user_id, salt, reason) values (gen_random_uuid(), ${alice.id}, '', '')`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toThrow('permission denied')
  }
  // A change by the owner of the schema leaves a trace, because the hash in the chain no longer matches.
  for (const statement of [sql`update admin_action_words set salt = 'x'`, sql`delete from admin_action_words`]) {
    await database.asOwner((db) => statement.execute(db))
    expect((await verifyChain(database.db)).broken).toMatchObject({ why: 'changed' })
  }
})

it('A173: attack: a user who closes during an exclusion and signs up again with the same mail is still excluded', async () => {
  await app.call(calls.takeExclusion, { token: alice.token, body: { months: 6, understood: true } })
  await close()
  expect((await cancel()).body.code).toBe('excluded')
  await pass(14)
  await eraseDue(parts())
  expect(await nameOf(alice.id)).toMatch(/^closed-/)
  const again = await app.verifiedUser('alice')
  expect(again.id).not.toBe(alice.id)
  expect((await deposit(again)).body.code).toBe('excluded')
})

it('A174: attack: a restored backup never serves an erased user again, not even on the first call', async () => {
  await deposit()
  const erasedAt = Date.now() - DAY_MS
  await app.stop()
  // The database is from before the erasing. The file in the data folder is newer.
  await addToErasedFile(folder, [{ userId: alice.id, erasedAt }])
  app = await open()
  expect(await nameOf(alice.id)).toMatch(/^closed-/)
  expect((await app.call(calls.profile, { token: alice.token })).status).toBe(401)
  // The money stays in the ledger, and the register tells everyone that a backup was restored.
  expect(await cashOf(alice.id)).toBe(10_000n)
  const halts = await database.db.selectFrom('register_halt').select('cause').execute()
  expect(halts).toEqual([{ cause: 'backup' }])
  await app.stop()
  app = await open()
  expect((await readErasedFile(folder)).map(({ userId }) => userId)).toEqual([alice.id])
})

it('A175: attack: only an owner can read the kept record of an erased user, with a reason in the audit log, until its retention ends', async () => {
  await close()
  await pass(14)
  await eraseDue(parts(5))
  const [stored] = await database.db.selectFrom('kept_record').selectAll().execute()
  expect(stored?.sealed).toMatch(/^sealed1\./)
  expect(() => app.ctx.vault.decrypt(stored?.sealed ?? '', `kept record ${alice.id}`)).toThrow('unknown key')
  const read = async (name: string, reason: string) =>
    (await app.staff(name)).call(staffCalls.staffOpenRecord, { params: { id: alice.id }, body: { reason } })
  expect([(await read('support', 'curious')).status, (await read('finance', 'curious')).status]).toEqual([403, 403])
  expect((await read('owner', '...')).body.code).toBe('reason_needed')
  const opened = (await read('owner', 'Request 12 of the tax office.')).body.data
  expect(opened.text).toContain('"username": "alice"')
  const lines = await database.db.selectFrom('admin_action').selectAll().where('what', 'like', '%kept%').execute()
  expect(lines.map(({ target, outcome }) => [target, outcome])).toContainEqual([alice.id, 'looked'])
  await database.asOwner((db) => sql`update kept_record set until_ms = 1`.execute(db))
  await eraseDue(parts(5))
  expect((await read('owner', 'Request 13 of the tax office.')).status).toBe(404)
})
