import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { stepBody } from '#test/support/pay-withdrawal.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 101
const PIN = '042713'
const FIELDS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044' }

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let finance: StaffSession
/** A file of two withdrawals, and a third withdrawal that is approved. */
let file: string
let other: string
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 5_000, method_id: 1 } })
  await app.setPin(alice.token, PIN, { 101: FIELDS })
  finance = await app.staff('finance')
  const trxs = [await approved(100), await approved(200)]
  other = await approved(300)
  const reply = await finance.call(staffCalls.staffMakePaymentFile, { body: { trxs, request_id: randomUUID() } })
  file = reply.body.data.id
})
afterEach(() => app.stop())

async function approved(amount: number): Promise<string> {
  const body = { amount, method_id: BANK, withdrawal_code: PIN, fields: FIELDS }
  const { trx } = (await app.call(calls.saveWithdrawal, { token: alice.token, body })).body.data.withdrawal
  const seen = { ...(await stepBody(finance, trx)), reason: 'looked at' }
  await finance.call(staffCalls.staffApproveWithdrawal, { params: { trx }, body: seen })
  return trx
}
const run = (...statements: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
const NEW = '00000000-0000-7000-8000-000000000050'
/** Returns statements that store a second file with a copy of the first line of the first file. */
const copyOfFile = (count: number, sum: string) => [
  `insert into payment_file (id, gateway_id, currency, count, sum, sha256, sealed, staff_id, who, created_ms)
    select '${NEW}', gateway_id, currency, ${count}, ${sum}, sha256, sealed, staff_id, who, created_ms
    from payment_file where id = '${file}'`,
]
const lineOf = (trx: string, line: number, into = NEW) =>
  `insert into payment_file_line (user_id, withdrawal_id, file_id, line)
    select user_id, id, '${into}', ${line} from withdrawal where trx = '${trx}'`
const firstTrx = async () => {
  const { body } = await finance.call(staffCalls.staffPaymentFile, { params: { id: file } })
  return body.data.lines[0]?.trx ?? ''
}
const unsent = (trx: string) => [
  `insert into payment_event (user_id, subject, seq, step, state, at_ms)
    select w.user_id, w.id, (select max(seq) + 1 from payment_event e where e.user_id = w.user_id and e.subject = w.id),
      'unsent', 'approved', ${app.ctx.now()} from withdrawal w where trx = '${trx}'`,
  `update withdrawal set state = 'approved', paying_by = null, paying_ms = null where trx = '${trx}'`,
]

describe('A200: attack: operator: one withdrawal in two payment files, with the rights of the server', () => {
  it('the database refuses a second file with the same withdrawal, until the first file is void', async () => {
    const trx = await firstTrx()
    await expect(run(...copyOfFile(1, 'sum'), lineOf(trx, 1))).rejects.toThrow('the withdrawal is in another file')
    await expect(run(lineOf(trx, 1, file))).rejects.toThrow('the withdrawal is in another file')
  })

  it('the database refuses a file whose withdrawals are not being paid, or whose sums differ from its lines', async () => {
    await expect(run(...copyOfFile(1, '30000'), lineOf(other, 1))).rejects.toThrow('its lines are not all paying')
    await expect(run(...copyOfFile(1, 'sum'))).rejects.toThrow('its lines are not all paying')
    await expect(run(lineOf(other, 3, file)), 'a line that is added later').rejects.toThrow(
      'does not belong to this file',
    )
  })
})

describe('A201: attack: operator: a payment file that is changed after it was made, with the rights of the server', () => {
  it.each(['sum = 1', 'count = 1', "sha256 = repeat('0', 64)", "currency = 'eur'", 'created_ms = 1', "who = 'other'"])(
    'the database refuses to change a payment file by %s',
    async (change) => {
      await expect(run(`update payment_file set ${change}`)).rejects.toThrow('permission denied')
    },
  )

  it('the database refuses to delete a file or a line, to move a line, and to lower the number of downloads', async () => {
    await expect(run('delete from payment_file_line')).rejects.toThrow('permission denied')
    await expect(run('delete from payment_file')).rejects.toThrow('permission denied')
    await expect(run('update payment_file_line set line = 9')).rejects.toThrow('permission denied')
    await expect(run('update payment_file set downloads = -1')).rejects.toThrow('a file is not changed')
  })

  it('the server does not serve a file whose stored bytes were replaced', async () => {
    const sealed = app.ctx.vault.encrypt('trx,amount\r\nFW-1,1.00\r\n', `payment file ${file}`)
    await run(`update payment_file set sealed = '${sealed}'`)
    const reply = await finance.call(staffCalls.staffDownloadPaymentFile, {
      params: { id: file },
      body: { reason: 'look' },
    })
    expect([reply.status, reply.body.data]).toEqual([500, undefined])
  })
})

describe('A202: attack: operator: a payment of a file given back alone and paid again, with the rights of the server', () => {
  it('the database refuses to give back a single payment of a file that is not void', async () => {
    await expect(run(...unsent(await firstTrx()))).rejects.toThrow('the payment is in a file')
  })

  it('the database refuses to void a file whose payments have begun, and to undo a void', async () => {
    const voided = `update payment_file set voided_ms = ${app.ctx.now()} where id = '${file}'`
    await expect(run(voided)).rejects.toThrow('its lines are not all approved')
    await expect(run(voided, ...unsent(await firstTrx())), 'one of two').rejects.toThrow(
      'its lines are not all approved',
    )
    const body = { words: 'not sent', request_id: randomUUID() }
    const { status } = await finance.call(staffCalls.staffUnsendPaymentFile, { params: { id: file }, body })
    expect(status).toBe(200)
    await expect(run('update payment_file set voided_ms = null')).rejects.toThrow('a file is not changed')
  })
})

describe('A203: attack: payment details taken from a payment file without permission or reason', () => {
  it('the server refuses roles without the right to pay and downloads without a reason, and records every other download', async () => {
    const take = (who: StaffSession, reason: string) =>
      who.call(staffCalls.staffDownloadPaymentFile, { params: { id: file }, body: { reason } })
    for (const role of ['support', 'markets', 'content'] as const)
      expect((await take(await app.staff(role), 'curious')).status).toBe(403)
    expect((await take(finance, '  ')).body.code).toBe('reason_needed')
    expect((await take(finance, 'upload')).status).toBe(200)
    const lines = await app.ctx.db
      .selectFrom('admin_action')
      .select(['who', 'reason'])
      .where('what', '=', 'payment-files/:id/download')
      .where('outcome', '=', 'done')
      .execute()
    expect(lines).toEqual([{ who: 'finance', reason: 'upload' }])
  })
})
