// cspell:ignore KEST KESTZIP Kestrelbank Kestrelfirst Kestrelholder Kestrellast Kestrelstate Kestrelstreet Kestreltown kestrel kestrelagent kestrelcredential kestrelend kestrelfeedback kestrelinvite kestrellast kestrelmeasure kestrelname kestrelnote kestrelpasskey kestrelpicture kestrelreason kestrelremark kestrelupload kestrelverify
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { erasingParts } from '#server/app/jobs/jobs.ts'
import { verifyChain } from '#server/audit/verify-audit-chain.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { openRecordsVault } from '#server/platform/encryption/data-keys.ts'
import { takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { eraseDue } from '#server/site/erasing/erase-accounts.ts'
import { takeIntoUse } from '#server/proof/receipts/signing-keys.queries.ts'
import { openAttackBench } from '#test/security/attack-harness.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { payInFull } from '#test/support/pay-withdrawal.ts'
import { TEST_PASSWORD, testKey, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let folder: string
let bench: Awaited<ReturnType<typeof openAttackBench>>
let person: TestUser
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'erasing-'))
  bench = await openAttackBench(database, { environment: { FAIRWICK_DATA_DIR: folder } })
  bench.app.ctx.clock.jump(Date.now() - bench.app.ctx.now())
  await takeIntoUse(bench.app.ctx.db, await testKey, bench.app.ctx.now())
})
afterEach(async () => {
  await bench.expectSoundBooks()
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

const PIN = '042713'
const BANK = 101
const BANK_DETAILS = {
  'Account holder': 'Kestrelholder',
  Bank: 'Kestrelbank',
  'Account number or IBAN': 'KEST 0042 1337',
}

const randomBytes = (count: number) => bench.app.ctx.randomBytes(count)
const parts = (recordYears = 0) => ({
  ...erasingParts({
    ...bench.app,
    passwords: createPasswords(randomBytes, { memoryCost: 64, timeCost: 1, parallelism: 1 }),
    records: openRecordsVault(folder, undefined, randomBytes),
    config: { mode: 'live', dataDir: folder, tickRetentionDays: 1, bots: false, heartbeatUrl: undefined },
  }),
  recordYears: () => recordYears,
})
const close = async (user: TestUser) => {
  await bench.app.confirm(user.token)
  await bench.app.call(calls.closeAccount, { token: user.token, body: { reason: 'kestrelreason' } })
}
const passTime = () =>
  database.asOwner((db) => sql`update account_closing set erase_ms = erase_ms - ${14 * DAY_MS}::int8`.execute(db))
const withdraw = (user: TestUser, amount: number) =>
  bench.app.call(calls.saveWithdrawal, {
    token: user.token,
    body: { method_id: BANK, amount, withdrawal_code: PIN, fields: BANK_DETAILS },
  })
const stateOf = async (userId: string) =>
  (await database.db.selectFrom('account_closing').select('state').where('user_id', '=', userId).execute()).map(
    ({ state }) => state,
  )

/** Pays out a withdrawal, with a message to the user. */
const pay = async (trx: string, words: string) => payInFull(await bench.app.staff('finance'), trx, words)

/** Places an order, lets it settle and returns its reference. */
async function trade(user: TestUser): Promise<string> {
  await bench.priced(9_400_000)
  const client = await bench.connect()
  const data = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', clientOrderId: 'first' }
  client.send({ action: 'newTrade', token: user.token, data })
  await bench.until(() => client.answers('newTrade').length > 0)
  bench.app.ctx.clock.jump(61_000)
  await bench.priced(9_300_000)
  const history = () => database.db.selectFrom('order_history').select('trx').where('user_id', '=', user.id).execute()
  await bench.until(async () => (await history()).length === 1)
  return (await history())[0]?.trx ?? ''
}

/**
 * Creates a user with data in every part of the product, by calls of users and staff. Together with `seedTexts`, this
 * makes 30 texts that belong only to this user.
 */
async function live(): Promise<{ readonly order: string; readonly withdrawal: string }> {
  const { app } = bench
  person = await bench.funded(1_000, 'kestrelname')
  const { token, id } = person
  await app.confirm(token)
  await app.call(calls.saveProfile, {
    token,
    body: {
      username: 'kestrelname',
      country_code: 'US',
      mobile: '5550424242',
      firstname: 'Kestrelfirst',
      lastname: 'Kestrellast',
      address: 'Kestrelstreet 7',
      city: 'Kestreltown',
      zip: 'KESTZIP',
      state: 'Kestrelstate',
    },
  })
  await app.setPin(token, PIN)
  await app.call(calls.saveWithdrawMethod, {
    token,
    body: { withdraw_method_id: BANK, withdrawal_information: BANK_DETAILS },
  })
  await app.endPauses()
  const order = await trade(person)
  await app.call(calls.changeLimits, { token, body: { changes: [{ key: 'loss_day', value: 900 }] } })
  const owner = await app.staff('owner')
  const version = async () => (await owner.call(staffCalls.staffUser, { params: { id } })).body.data.version
  await owner.call(staffCalls.staffAddUserNote, { params: { id }, body: { text: 'kestrelnote' } })
  const params = { id }
  const off = { version: await version(), on: false, reason: 'kestrelmeasure' }
  await owner.call(staffCalls.staffSetTradingAllowed, { params, body: off })
  await owner.call(staffCalls.staffSetTradingAllowed, {
    params,
    body: { version: await version(), on: true, reason: 'kestrelend' },
  })
  const withdrawal = (await withdraw(person, 900)).body.data.withdrawal.trx
  await owner.call(staffCalls.staffRemarkWithdrawal, { params: { trx: withdrawal }, body: { text: 'kestrelremark' } })
  await pay(withdrawal, 'kestrelfeedback')
  await app.confirm(token)
  await app.call(calls.requestDataExport, { token })
  await app.call(calls.forgetPassword, { body: { value: 'kestrelname@example.com' } })
  return { order, withdrawal }
}

/** Writes the remaining texts into the tables, because their calls need a browser, a file or a provider. */
async function seedTexts(id: string): Promise<void> {
  await database.asOwner(async (db) => {
    await sql`update app_user set invitation_code = 'kestrelinvite', image_path = 'kestrelpicture.webp',
      verification_reason = 'kestrelverify' where id = ${id}`.execute(db)
    await sql`insert into user_passkey (user_id, id, credential_id, public_key, counter, transports, name, created_ms)
      values (${id}, gen_random_uuid(), 'kestrelcredential', '', 0, '{}', 'kestrelpasskey', 0)`.execute(db)
    await sql`update sign_in set user_agent = 'kestrelagent', address = '10.42.42.42' where user_id = ${id}`.execute(db)
    await sql`update session set user_agent = 'kestrelagent', ip = '10.42.42.42' where user_id = ${id}`.execute(db)
    await sql`insert into ticket (user_id, id, no, about_kind, about, topic, opened_ms, last_ms, due_ms)
      values (${id}, ${id}, 'T-KESTREL', 'account', '', 'else', 0, 0, 1)`.execute(db)
    await sql`insert into ticket_message (user_id, ticket_id, seq, id, words, request_id, fingerprint, at_ms)
      values (${id}, ${id}, 1, gen_random_uuid(), 'kestrelcomplaint', 'r', '', 0)`.execute(db)
    await sql`insert into upload (user_id, name, purpose, media_type, size, in_use, changed_ms)
      values (${id}, 'kestrelupload.webp', 'profile', 'image/webp', 1, true, 0)`.execute(db)
  })
}

/** Pays out all money that the user still has. */
async function payRest(): Promise<void> {
  const balance = await database.db
    .selectFrom('balance')
    .select('cash')
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  if (balance.cash === 0n) return
  const { withdrawal } = (await withdraw(person, Number(balance.cash) / 100)).body.data
  await pay(withdrawal.trx, 'kestrellast words')
  // This call signs the receipts of the withdrawal. Before that, the account cannot be erased.
  await bench.app.call(calls.proofMoney, { params: { trx: withdrawal.trx } })
}

/** Every text that belongs to the user begins with or contains one of these texts. */
const CANARIES = ['kestrel', 'KEST 0042', 'KESTZIP', '5550424242', '10.42.42.42']

/** The names of the tables that contain a text of the user. */
async function tablesWithCanaries(): Promise<string[]> {
  return database.asOwner(async (db) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema() order by 1`.execute(db)
    const found: string[] = []
    for (const { name } of rows) {
      const hit = await sql`select 1 from ${sql.table(name)} t
        where to_jsonb(t)::text ilike any (${CANARIES.map((text) => `%${text}%`)}::text[]) limit 1`.execute(db)
      if (hit.rows.length > 0) found.push(name)
    }
    return found
  })
}

/** Reads everything public about the user's orders and payments, and checks the ledger and the audit log. */
async function published({ order, withdrawal }: { readonly order: string; readonly withdrawal: string }) {
  const { app } = bench
  const receipts = await app.call(calls.proofReceipt, { params: { trx: order } })
  const money = await app.call(calls.proofMoney, { params: { trx: withdrawal } })
  const { seq, hash } = (await verifyChain(app.ctx.db)).end ?? { seq: 0, hash: '' }
  return {
    ledger: (await checkLedger(app.ctx.db)).clean,
    receipts: receipts.body.data,
    money: money.body.data,
    liabilities: (await app.call(calls.liabilities)).body.data.days,
    audit: await verifyChain(app.ctx.db, { seq, hash }),
  }
}

/**
 * Tables with rows that stay, linked only to the user's id: money, orders, receipts, breaks, and counts that are
 * published.
 */
const UNDER_THE_ID = [
  'account_closing',
  'approval',
  'arrival',
  'balance',
  'correction',
  // A foreign key deletes these rows together with the data copy that they belong to.
  'data_export_portion',
  'deposit',
  'erased_account',
  'excluded_person',
  'fairness_user',
  'first_check',
  'kept_record',
  'ledger_order_sum',
  'ledger_sum',
  'liability_account',
  'made_good',
  'money_step',
  'open_order',
  'order_history',
  'payment_event',
  'payment_file_line',
  // These rows store which users traded on a day, for counts in reports.
  'report_user_day',
  'report_user_days',
  'sale_end',
  'sale_request',
  'self_break',
  'self_return',
  'transfer',
  'user_leave',
  'user_measure',
  'withdrawal',
]

describe('erasing an account', () => {
  it('deletes the rows of the user from every table, except from listed tables whose rows stay with the user id alone', async () => {
    const { rows } = await database.asOwner((db) =>
      sql<{ name: string }>`
        select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'user_id' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
          and position('delete from ' || c.relname || ' where user_id' in
            (select prosrc from pg_proc where proname = 'erase_account')) = 0
        order by c.relname collate "C"`.execute(db),
    )
    expect(rows.map(({ name }) => name)).toEqual(UNDER_THE_ID)
  })

  it('leaves none of the 30 texts of the user in any table or log line, ends the sessions, and changes no published fact', async () => {
    const proofs = await live()
    await close(person)
    await seedTexts(person.id)
    expect((await tablesWithCanaries()).length).toBeGreaterThan(12)
    await takeSnapshot(bench.app.ctx)
    await passTime()
    await bench.app.receipts.idle()
    await eraseDue(parts())
    expect(await stateOf(person.id)).toEqual(['closing'])
    await payRest()
    const before = await published(proofs)
    await eraseDue(parts())
    expect(await stateOf(person.id)).toEqual(['erased'])
    expect(await tablesWithCanaries()).toEqual([])
    const lines = JSON.stringify(bench.app.ctx.lines)
    for (const text of CANARIES) expect(lines.toLowerCase()).not.toContain(text.toLowerCase())
    expect((await bench.app.call(calls.profile, { token: person.token })).status).toBe(401)
    const login = await bench.app.call(calls.login, { body: { username: 'kestrelname', password: TEST_PASSWORD } })
    expect(login.status).toBe(422)
    const after = await published(proofs)
    expect({ ...after, audit: after.audit.broken }).toEqual({ ...before, audit: null })
  })
})
