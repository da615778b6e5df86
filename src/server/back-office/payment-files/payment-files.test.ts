import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { rotateEncryptionKey } from '#server/operator-cli/rotate-encryption-key.ts'
import { lookAt, stepBody } from '#test/support/pay-withdrawal.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { afterRead } from '#test/support/after-read.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const [BANK, TRC20, DEMO_FUNDS] = [101, 102, 1]
const PIN = '042713'
const FIELDS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044' }
const TRON = { 'Wallet address (TRC-20)': 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' }

const database = useTestDatabase()
let app: TestApp
let [alice, bob]: TestUser[] = []
let finance: StaffSession
let finance2: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  ;[alice, bob] = [await funded('alice'), await funded('bob')]
  ;[finance, finance2] = [await app.staff('finance'), await app.staff('finance2')]
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
  await app.stop()
})

async function funded(name: string): Promise<TestUser> {
  const user = await app.verifiedUser(name)
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 5_000, method_id: DEMO_FUNDS } })
  await app.setPin(user.token, PIN, { 101: FIELDS, 102: TRON })
  return user
}

/** Requests a withdrawal, approves it as staff, and returns its reference. */
async function approved(user: TestUser | undefined, amount: number, method = BANK): Promise<string> {
  assert(user, 'the user exists')
  const body = { amount, method_id: method, withdrawal_code: PIN, fields: method === BANK ? FIELDS : TRON }
  const { trx } = (await app.call(calls.saveWithdrawal, { token: user.token, body })).body.data.withdrawal
  const seen = { ...(await stepBody(finance, trx)), reason: 'looked at' }
  await finance.call(staffCalls.staffApproveWithdrawal, { params: { trx }, body: seen })
  return trx
}

async function make(who: StaffSession, trxs: readonly string[], requestId: string = randomUUID()) {
  const { body } = await who.call(staffCalls.staffMakePaymentFile, { body: { trxs: [...trxs], request_id: requestId } })
  return { id: body.data?.id ?? '', code: body.code, message: body.message }
}
const look = async (id: string) => (await finance.call(staffCalls.staffPaymentFile, { params: { id } })).body.data
const take = (id: string, reason = 'upload to the bank', who = finance) =>
  who.call(staffCalls.staffDownloadPaymentFile, { params: { id }, body: { reason } })
const voids = async (id: string, words = 'the bank refused the file', who = finance) =>
  (await who.call(staffCalls.staffUnsendPaymentFile, { params: { id }, body: { words, request_id: randomUUID() } }))
    .body.code ?? 'void'
const pays = async (id: string, more: Record<string, unknown> = {}, who = finance) => {
  const body = { reference: 'SEPA 7', request_id: randomUUID(), ...more }
  return (await who.call(staffCalls.staffPayPaymentFile, { params: { id }, body })).body.code ?? 'paid'
}
const stateOf = async (trx: string) => (await lookAt(finance, trx)).state
const cancel = async (user: TestUser | undefined, trx: string) =>
  (await app.call(calls.cancelWithdrawal, { token: user?.token ?? '', params: { trx } })).body.code ?? 'cancelled'
const auditOf = (what: string) =>
  app.ctx.db
    .selectFrom('admin_action')
    .select(['who', 'target', 'reason', 'after'])
    .where('what', '=', what)
    .where('outcome', '=', 'done')
    .orderBy('seq')
    .execute()

describe('a payment file', () => {
  it('starts the payment of all its withdrawals, and is done when all of them are recorded as paid with a reference', async () => {
    const trxs = [await approved(alice, 100), await approved(bob, 200), await approved(alice, 50)]
    const { body: ready } = await finance.call(staffCalls.staffReadyPayments, {})
    expect(ready.data.methods).toMatchObject([{ method_id: BANK, count: 3 }])
    const params = { method: String(BANK), currency: ready.data.methods[0]?.currency ?? '' }
    const { body: shown } = await finance.call(staffCalls.staffReadyOfMethod, { params })
    expect(shown.data.withdrawals.map(({ trx, can_pay: canPay }) => [trx, canPay])).toEqual(
      trxs.map((trx) => [trx, true]),
    )
    const { id } = await make(finance, trxs)
    const file = await look(id)
    expect(file).toMatchObject({ state: 'open', count: 3, sum: ready.data.methods[0]?.sum, made_by: 'finance' })
    expect(file.lines.map(({ line, trx, state }) => [line, trx, state])).toEqual(
      trxs.map((trx, place) => [place + 1, trx, 'paying']),
    )
    expect(await lookAt(finance2, trxs[0] ?? '')).toMatchObject({ state: 'paying', paying_by: 'finance' })
    expect(await cancel(alice, trxs[0] ?? '')).toBe('withdrawal_being_paid')
    expect((await finance.call(staffCalls.staffReadyPayments, {})).body.data.methods).toEqual([])

    expect(await pays(id)).toBe('paid')
    const done = await look(id)
    expect(done.lines.map(({ reference }) => reference)).toEqual(['SEPA 7/1', 'SEPA 7/2', 'SEPA 7/3'])
    expect(done.state).toBe('done')
    expect(await pays(id)).toBe('payment_file_over')
    expect(await voids(id)).toBe('payment_file_over')
    const [list] = (await finance.call(staffCalls.staffPaymentFiles, { query: { state: 'done' } })).body.data.rows
    expect(list).toMatchObject({ id, state: 'done' })
  })

  it('a payment file has the same bytes at each download, and the audit log records reason, count, sum and hash each time', async () => {
    const trx = await approved(alice, 100)
    const { id } = await make(finance, [trx])
    expect((await take(id, ' ')).body.code).toBe('reason_needed')
    expect((await take(id, 'look', await app.staff('support'))).status).toBe(403)
    const [first, second] = [(await take(id)).body.data, (await take(id, 'again', finance2)).body.data]
    expect(second).toEqual(first)
    expect(createHash('sha256').update(first.content).digest('hex')).toBe(first.sha256)
    expect(first.content).toContain(`${trx},`)
    expect(first.content).toContain(',Alice Ames,First,DE89 3704 0044,')
    const { count, sum, sha256, downloads } = await look(id)
    expect([sha256, downloads]).toEqual([first.sha256, 2])
    const lines = await auditOf('payment-files/:id/download')
    expect(lines.map(({ who, reason }) => [who, reason])).toEqual([
      ['finance', 'upload to the bank'],
      ['finance2', 'again'],
    ])
    for (const { target, after } of lines) expect([target, after]).toEqual([id, { count, sum: sum.toFixed(2), sha256 }])
    const stored = await app.ctx.db.selectFrom('payment_file').select('sealed').executeTakeFirstOrThrow()
    expect(stored.sealed).not.toContain('Alice')
  })

  it('a payment file has the same bytes after the encryption key has changed', async () => {
    const { id } = await make(finance, [await approved(alice, 100)])
    const before = (await take(id)).body.data
    const [newKey, testKey] = [new Uint8Array(32).fill(9), new Uint8Array(32).fill(7)]
    app.ctx.vault.useKeys([newKey, testKey])
    await rotateEncryptionKey(app.ctx, 'not-newest')
    app.ctx.vault.useKeys([newKey])
    expect((await take(id)).body.data).toEqual(before)
  })

  it('cannot be downloaded any more when the account of one of its users is erased', async () => {
    const { id } = await make(finance, [await approved(alice, 100), await approved(bob, 200)])
    expect(await pays(id)).toBe('paid')
    await database.asOwner((db) =>
      sql`insert into erased_account (user_id, erased_ms) values (${bob?.id ?? ''}, ${app.ctx.now()})`.execute(db),
    )
    expect((await take(id)).body.code).toBe('payment_file_erased')
    expect(await look(id)).toMatchObject({ state: 'done', downloads: 0 })
    await rotateEncryptionKey(app.ctx, 'not-newest')
  })

  it('stays erased when its user is erased while the encryption key changes', async () => {
    await make(finance, [await approved(alice, 100)])
    const erase = () => database.asOwner((db) => db.updateTable('payment_file').set({ sealed: '' }).execute())
    app.ctx.vault.useKeys([new Uint8Array(32).fill(9), new Uint8Array(32).fill(7)])
    const db = afterRead(app.ctx.db, 'payment_file', erase)
    await rotateEncryptionKey({ db, vault: app.ctx.vault }, 'not-newest')
    expect(await app.ctx.db.selectFrom('payment_file').select('sealed').execute()).toEqual([{ sealed: '' }])
  })

  it('a payment file is refused unless all withdrawals are approved, of one method and with a valid destination, and the refusal names the wrong withdrawals', async () => {
    const [one, other, coin] = [await approved(alice, 100), await approved(bob, 200), await approved(bob, 50, TRC20)]
    expect(await make(finance, [one, coin])).toMatchObject({ code: 'files_mixed' })
    await cancel(bob, other)
    const refused = await make(finance, [one, other, 'FW-UNKNOWN'])
    expect(refused.code).toBe('not_approved')
    expect(refused.message).toContain(`${other}, FW-UNKNOWN.`)
    const field = {
      name: 'to',
      label: Object.keys(TRON)[0],
      type: 'destination',
      network: 'bitcoin',
      is_required: true,
    }
    await app.ctx.db
      .updateTable('gateway')
      .set({ form: JSON.stringify([field]) })
      .where('id', '=', TRC20)
      .execute()
    const invalid = await make(finance, [coin])
    expect(invalid.code).toBe('destination_invalid')
    expect(invalid.message).toContain(coin)
    expect(await Promise.all([one, coin].map(stateOf)), 'nothing has changed').toEqual(['approved', 'approved'])
    expect((await finance.call(staffCalls.staffPaymentFiles, {})).body.data.rows).toEqual([])
    const tooMany = Array.from({ length: 201 }, (_, place) => `FW-${place}`)
    const { status } = await finance.call(staffCalls.staffMakePaymentFile, {
      body: { trxs: tooMany, request_id: 'many' },
    })
    expect(status).toBe(422)
  })

  it('a payment file that its maker voids because nothing was sent releases all its withdrawals for another file', async () => {
    const trxs = [await approved(alice, 100), await approved(bob, 200)]
    const { id } = await make(finance, trxs)
    const [first = ''] = trxs
    const body = { ...(await stepBody(finance, first)), words: 'not sent' }
    const alone = await finance.call(staffCalls.staffMarkUnsent, { params: { trx: first }, body })
    expect(alone.body.code).toBe('in_payment_file')
    expect(await voids(id, ' ')).toBe('words_needed')
    expect(await voids(id, 'mine?', finance2)).toBe('not_yours')
    expect(await voids(id)).toBe('void')
    expect(await look(id)).toMatchObject({ state: 'void', voided_at: expect.any(String) })
    expect(await Promise.all(trxs.map(stateOf))).toEqual(['approved', 'approved'])
    expect((await take(id)).body.code).toBe('payment_file_over')
    const again = await make(finance2, trxs)
    expect(await look(again.id)).toMatchObject({ state: 'open', made_by: 'finance2' })
    expect((await lookAt(finance, first)).steps.map(({ step }) => step)).toEqual([
      'requested',
      'approved',
      'paying',
      'unsent',
      'paying',
    ])
    // After the file is void, a payment that is started individually can also be marked as unsent individually.
    expect(await voids(again.id, 'second thoughts', finance2)).toBe('void')
    await finance.call(staffCalls.staffStartPaying, { params: { trx: first }, body: await stepBody(finance, first) })
    const free = { ...(await stepBody(finance, first)), words: 'not sent' }
    expect((await finance.call(staffCalls.staffMarkUnsent, { params: { trx: first }, body: free })).body.data).toEqual({
      outcome: 'unsent',
    })
  })

  it('cannot be voided after one of its payments has failed, and the references of its other payments keep their line numbers', async () => {
    const trxs = [await approved(alice, 100), await approved(bob, 200), await approved(bob, 300)]
    const { id } = await make(finance, trxs)
    const [, failed = ''] = trxs
    const body = { ...(await stepBody(finance, failed)), words: 'The account is closed.' }
    await finance.call(staffCalls.staffMarkFailed, { params: { trx: failed }, body })
    expect(await voids(id)).toBe('payment_file_begun')
    expect(await pays(id)).toBe('paid')
    expect((await look(id)).lines.map(({ state, reference }) => [state, reference])).toEqual([
      ['paid', 'SEPA 7/1'],
      ['failed', null],
      ['paid', 'SEPA 7/3'],
    ])
  })

  it('can be recorded as paid only by its maker, with a reference new for the method and a time between its creation and now', async () => {
    const alone = await approved(alice, 70)
    await finance.call(staffCalls.staffStartPaying, { params: { trx: alone }, body: await stepBody(finance, alone) })
    await finance.call(staffCalls.staffMarkPaid, {
      params: { trx: alone },
      body: { ...(await stepBody(finance, alone)), reference: 'SEPA 7/1' },
    })
    const { id } = await make(finance, [await approved(alice, 100)])
    expect(await pays(id)).toBe('reference_used')
    expect(await pays(id, { reference: '' })).toBe('reference_needed')
    expect(await pays(id, { reference: 'x'.repeat(139) })).toBe('reference_form')
    const at = (ms: number) => new Date(app.ctx.now() + ms).toISOString()
    expect(await pays(id, { reference: 'SEPA 8', paid_at: at(-HOUR_MS) })).toBe('paid_at_invalid')
    expect(await pays(id, { reference: 'SEPA 8', paid_at: at(HOUR_MS) })).toBe('paid_at_invalid')
    expect(await pays(id, { reference: 'SEPA 8' }, finance2)).toBe('not_yours')
    expect(await pays(id, { reference: 'SEPA 8' })).toBe('paid')
  })

  it('a payment file is made once when the same request is sent three times, and the same request id with other content is refused', async () => {
    const trxs = [await approved(alice, 100), await approved(bob, 200)]
    const [one, other, more] = await Promise.all([1, 2, 3].map(() => make(finance, trxs, 'request 1')))
    expect(one?.id).not.toBe('')
    expect([other?.id, more?.id]).toEqual([one?.id, one?.id])
    expect(await make(finance, [trxs[0] ?? ''], 'request 1')).toMatchObject({ code: 'request_conflict' })
    expect(await auditOf('payment-files')).toMatchObject([{ target: one?.id, after: { count: 2, trxs } }])
    expect((await auditOf('withdrawals/:trx/pay')).map(({ target }) => target)).toEqual(trxs)
  })

  it('and another file made at the same time never contain the same withdrawal: one of the two is refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const trxs = [
        await approved(alice, 50 + round),
        await approved(bob, 60 + round),
        await approved(alice, 70 + round),
      ]
      const replies = await Promise.all([make(finance, trxs.slice(0, 2)), make(finance2, trxs.slice(1))])
      expect(replies.map(({ code }) => code ?? 'made').toSorted()).toEqual(['made', 'not_approved'])
      const [file] = replies.filter(({ id }) => id !== '')
      const lines = (await look(file?.id ?? '')).lines.map(({ trx }) => trx)
      expect(await Promise.all(trxs.map(stateOf))).toEqual(
        trxs.map((trx) => (lines.includes(trx) ? 'paying' : 'approved')),
      )
      expect(await voids(file?.id ?? '', 'next round', replies[0]?.id === file?.id ? finance : finance2)).toBe('void')
      for (const [place, trx] of trxs.entries()) await cancel(place === 1 ? bob : alice, trx)
    }
  })

  it('and a cancellation at the same time never both succeed for a withdrawal', async () => {
    for (let round = 0; round < 6; round += 1) {
      const trxs = [await approved(alice, 50 + round), await approved(bob, 60 + round)]
      const [reply, cancelled] = await Promise.all([make(finance, trxs), cancel(bob, trxs[1] ?? '')])
      expect([reply.code ?? 'made', cancelled]).toEqual(
        cancelled === 'cancelled' ? ['not_approved', 'cancelled'] : ['made', 'withdrawal_being_paid'],
      )
      if (reply.id === '') await cancel(alice, trxs[0] ?? '')
      else expect(await pays(reply.id, { reference: `ROUND ${round}` })).toBe('paid')
    }
  })
})

it('a withdrawal whose payment was started individually cannot be in a file', async () => {
  const trx = await approved(alice, 100)
  await finance.call(staffCalls.staffStartPaying, { params: { trx }, body: await stepBody(finance, trx) })
  expect(await make(finance2, [trx])).toMatchObject({ code: 'not_approved' })
})
