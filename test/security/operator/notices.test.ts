import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const inbox = async ({ token }: TestUser, query: { before?: string } = {}) =>
  (await app.call(calls.notices, { token, query })).body.data
const deposit = ({ token }: TestUser) => app.call(calls.saveDeposit, { token, body: { amount: 100, method_id: 1 } })
/** Requests a deposit that staff have to credit, and returns its id. */
async function askDeposit({ id: userId, token }: TestUser): Promise<string> {
  await database.asOwner((db) =>
    db.updateTable('gateway').set({ form: '[]', currency: 'USDT' }).where('id', '=', 4).execute(),
  )
  await app.call(calls.saveDeposit, { token, body: { amount: 1, method_id: 4 } })
  const pending = database.db.selectFrom('deposit').select('id').where('user_id', '=', userId).where('status', '=', 2)
  return (await pending.executeTakeFirstOrThrow()).id
}
const kinds = async () => (await inbox(alice)).notices.map(({ kind }) => kind)
/** The database refuses because of missing rights, or because the list of security changes is closed. */
const REFUSED = /permission denied|must be owner|unknown change/
const run = (statement: string) => sql.raw(statement).execute(database.db)

it('A120: attack: another user reads or marks notices', async () => {
  await deposit(alice)
  const own = await inbox(alice)
  const mallory = await app.verifiedUser('mallory')
  await deposit(mallory)
  for (const before of [undefined, own.newest!, own.next ?? own.newest!]) {
    const { notices } = await inbox(mallory, before === undefined ? {} : { before })
    expect(notices.map(({ id }) => id)).not.toContain(own.notices[0]!.id)
  }
  const { newest } = await inbox(mallory)
  for (const body of [{ ids: own.notices.map(({ id }) => id) }, { until: newest! }])
    await app.call(calls.readNotices, { token: mallory.token, body })
  expect(await inbox(alice)).toEqual(own)
  await app.call(calls.chooseNoticeMail, { token: mallory.token, body: { topic: 'deposits', mail: false } })
  const { topics } = (await app.call(calls.noticeMail, { token: alice.token })).body.data
  expect(topics[0]).toEqual({ topic: 'deposits', mail: true, inbox: true, fixed: false })
})

it('A121: attack: operator: a notice written, changed or hidden with the rights of the server', async () => {
  await deposit(alice)
  const before = await database.db.selectFrom('notice').selectAll().execute()
  const values = `'${alice.id}', gen_random_uuid(), 'deposit_credited', 'forged', '{}', 0`
  for (const statement of [
    `insert into notice (user_id, id, kind, subject, data, at_ms) values (${values})`,
    `select tell('${alice.id}', 'deposit_credited', 'forged', '{}', 0)`,
    `update notice set data = '{}'`,
    `update notice set kind = 'order_void'`,
    `update notice set user_id = gen_random_uuid()`,
    `delete from notice`,
    `truncate notice cascade`,
    `insert into notice_delivery (user_id, notice_id, channel) select user_id, id, 'mail' from notice`,
    `alter table deposit disable trigger all`,
    `drop function tell_deposit_update() cascade`,
    `select tell_security_change('${alice.id}', 'Win 500 now', 0, null)`,
  ])
    await expect(run(statement), statement).rejects.toThrow(REFUSED)
  expect(await database.db.selectFrom('notice').selectAll().execute()).toEqual(before)
  const paths = Object.values(staffCalls).map(({ path }) => path)
  expect(paths.filter((path) => /notice|inbox|push/.test(path))).toEqual([])
})

it('A122: attack: operator: a decision about money without a notice, bypassing the code of the server', async () => {
  const id = await askDeposit(alice)
  await run(`update deposit set status = 3, decided_ms = 1, feedback = 'No' where id = '${id}'`)
  const row = historyRow({ user_id: alice.id, id: app.ctx.newId(), settled_ms: 1, void_reason: 'no_price' })
  await database.db.insertInto('order_history').values(row).execute()
  await database.db
    .insertInto('user_measure')
    .values({
      id: app.ctx.newId(),
      user_id: alice.id,
      kind: 'trade_off',
      value: null,
      reason: 'Why',
      since_ms: 1,
      until_ms: 2,
    })
    .execute()
  expect(await kinds()).toEqual(['measure_set', 'order_void', 'deposit_rejected'])
})

it('A123: attack: one event repeated by many servers gives more than one notice', async () => {
  const at = app.ctx.now()
  const tell = () => run(`select tell_security_change('${alice.id}', 'pin', ${at}, null)`)
  await Promise.all(Array.from({ length: 20 }, tell))
  const { notices, unread } = await inbox(alice)
  expect([notices.length, unread]).toEqual([1, 1])
})

it('A124: attack: operator: a back-dated decision whose notice is deleted as too old', async () => {
  const id = await askDeposit(alice)
  await database.db.transaction().execute(async (tx) => {
    await sql`update deposit set status = 3, decided_ms = 1, feedback = 'No' where id = ${id}`.execute(tx)
    await sql`select drop_old_notices()`.execute(tx)
  })
  expect(await kinds()).toEqual(['deposit_rejected'])
})

it('A125: attack: operator: records that are written as decided, without a notice', async () => {
  const id = await askDeposit(alice)
  await run(`insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge, fixed_charge,
      total, rate_millionths, credited, created_ms, decided_ms, feedback)
    select user_id, gen_random_uuid(), 'FW-1', gateway_id, 3, currency, amount, percent_charge, fixed_charge, total,
      rate_millionths, credited, created_ms, created_ms, 'No' from deposit where id = '${id}'`)
  expect(await kinds()).toEqual(['deposit_rejected'])
  for (const [status, isCancelled, state] of [
    [1, false, 'paid'],
    [3, false, 'rejected'],
    [3, true, 'cancelled'],
  ] as const) {
    const decided =
      run(`insert into withdrawal (user_id, id, trx, gateway_id, status, state, currency, amount, percent_charge,
        fixed_charge, rate_millionths, paid_out, created_ms, decided_ms, is_cancelled)
      values ('${alice.id}', gen_random_uuid(), gen_random_uuid()::text, 101, ${status}, '${state}', 'usd', 100, 0, 0, 1000000, 100,
        ${app.ctx.now()}, ${app.ctx.now()}, ${isCancelled})`)
    await expect(decided).rejects.toThrow('withdrawal: the transfer is missing')
  }
})

it('A126: attack: operator: an adjustment announced again after a dispute, without a notice', async () => {
  await deposit(alice)
  const owner = await app.staff('owner')
  const finance = await app.staff('finance')
  const own = database.db.selectFrom('deposit').select('trx').where('user_id', '=', alice.id)
  const { trx: link } = await own.executeTakeFirstOrThrow()
  const form = { user_id: alice.id, kind: 'deposit_reversed' as const, link, amount: 10, reason: 'x', message: 'y' }
  const { id } = (await finance.call(staffCalls.staffRequestCorrection, { body: form })).body.data
  const { content_hash } = (await owner.call(staffCalls.staffCorrection, { params: { id } })).body.data
  await owner.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash } })
  for (const state of ['disputed', 'announced'])
    await run(`update correction set state = '${state}' where id = '${id}'`)
  expect(await kinds()).toEqual(['correction_announced', 'correction_announced', 'deposit_credited'])
})
