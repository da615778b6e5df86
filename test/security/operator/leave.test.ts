import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { CODE_LIFETIME_MS } from '#core/accounts/one-time-code.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { finishLeaves } from '#server/payments/withdrawals/finish-leaves.ts'
import { withoutRule } from '#test/support/bare-rows.ts'
import { lookAt, stepBody } from '#test/support/pay-withdrawal.ts'
import { spendTries } from '#test/support/spend-tries.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
let finance: StaffSession
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  finance = await app.staff('finance')
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
  await app.stop()
})

const BANK = 101
const FIELDS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
const REASON = 'Several accounts of one person.'

async function setSignIn(on: boolean) {
  const params = { id: alice.id }
  const seen = (await owner.call(staffCalls.staffUser, { params })).body
  assert(seen.data, `the user is found: ${JSON.stringify(seen)}`)
  const { version } = seen.data
  const { status } = await owner.call(staffCalls.staffSetLogInAllowed, {
    params,
    body: { version, allowed: on, reason: REASON },
  })
  assert(status === 200, 'the block is set or ended')
}
/** Blocks the user. The user logs in again and confirms the session. */
async function block() {
  await setSignIn(false)
  alice = await app.signIn('alice', TEST_PASSWORD)
  await app.confirm(alice.token)
}
/** Sends a code to the verified contact and returns it. Empty when the limit of messages is reached. */
async function leaveCode() {
  const { status } = await app.call(calls.sendLeaveCode, { token: alice.token })
  return status === 200 ? app.sentCode(emailOf('alice')) : ''
}
async function ask(body: object = {}) {
  const code = 'withdrawal_code' in body || 'code' in body ? {} : { code: await leaveCode() }
  const sent = { method_id: BANK, fields: FIELDS, ...code, ...body }
  return (await app.call(calls.requestLeave, { token: alice.token, body: sent })).body.code ?? 'done'
}
const state = async () => (await app.call(calls.leave, { token: alice.token })).body.data
const account = async () => (await app.call(calls.profile, { token: alice.token })).body.data.user
const payments = async () => (await app.call(calls.withdrawals, { token: alice.token })).body.data.withdrawals
async function reject(trx: string, by: StaffSession, code: RejectionCode, againDays?: number) {
  const seen = (await by.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data
  const again = againDays === undefined ? {} : { again_days: againDays }
  const own = { content_hash: seen.content_hash, request_id: randomUUID() }
  const body = { ...own, words: 'Ordered by a court.', reason_code: code, ...again }
  const done = (await by.call(staffCalls.staffRejectWithdrawal, { params: { trx }, body })).body
  return done.code ?? done.data.outcome
}
/** Approves a payment, with two approvers where it needs two, and begins to pay it. */
async function beginToPay(trx: string) {
  for (const by of [owner, finance]) {
    if ((await lookAt(by, trx)).state !== 'requested') break
    const body = { ...(await stepBody(by, trx)), words: '', reason: '' }
    await by.call(staffCalls.staffApproveWithdrawal, { params: { trx }, body })
  }
  await step('staffStartPaying', trx)
}
async function step(
  name: 'staffStartPaying' | 'staffMarkPaid' | 'staffMarkFailed' | 'staffReturnWithdrawal',
  trx: string,
  by = finance,
) {
  const said = { reference: `ref ${trx}`, words: 'The bank refused it.' }
  const { status } = await by.call<StaffCall>(staffCalls[name], {
    params: { trx },
    body: { ...(await stepBody(by, trx)), ...(name === 'staffMarkFailed' ? { words: said.words } : said) },
  })
  assert(status === 200, `${name} is done`)
}
async function pay(trx: string) {
  await beginToPay(trx)
  await step('staffMarkPaid', trx)
}
/** Posts 500.00 to Alice: `demo_funds` as money in addition to her deposits, `beginner_task` as credits. */
async function post(kind: 'demo_funds' | 'beginner_task') {
  const own = { userId: alice.id, ref: app.ctx.newId(), amount: money(50_000) }
  await withoutRule(database, { table: 'transfer', rule: 'transfer_recorded' }, (db) =>
    db.transaction().execute((tx) => postTransfers(tx, [transfer(kind, own)], app.ctx.now())),
  )
}

describe('A114: attack: block a user and keep the money', () => {
  it('the user reads why, withdraws all cash, and the account is closed', async () => {
    await post('beginner_task')
    await block()
    expect(await account()).toMatchObject({ balance: 1_000, leaving: { reason: REASON, closed_at: null } })
    expect(await state()).toEqual({ available: 1_000, principal: 1_000, leave: null, code_to: 'a•••@example.com' })
    expect(await ask()).toBe('done')
    const [payment, ...more] = await payments()
    assert(payment, 'there is a payment')
    expect([payment, more]).toMatchObject([
      { amount: 1_000, status: 2, due_at: new Date(app.ctx.now() + 3 * DAY_MS).toISOString() },
      [],
    ])
    await finishLeaves(app.ctx)
    expect((await state()).leave).toMatchObject({ state: 'open' })
    await pay(payment.trx)
    await finishLeaves(app.ctx)
    expect((await state()).leave).toMatchObject({ state: 'closed' })
    expect(await account()).toMatchObject({ balance: 0, points: 0, leaving: { closed_at: expect.any(String) } })
    // The account stays closed when staff end the block.
    await setSignIn(true)
    alice = await app.signIn('alice', TEST_PASSWORD)
    const deposit = { token: alice.token, body: { amount: 100, method_id: 1 } }
    expect((await app.call(calls.saveDeposit, deposit)).body.code).toBe('leave_only')
    expect((await payments())[0]).toMatchObject({ status: 1 })
    const { receipts } = (await app.call(calls.proofMoney, { token: alice.token, params: { trx: payment.trx } })).body
      .data
    expect(receipts.map(({ facts }) => JSON.parse(facts) as object)).toMatchObject([
      { of: 'leave', step: 'asked' },
      { of: 'leave', step: 'paid' },
    ])
  })

  it('a failed payment waits for another destination, and is not sent to the same one again', async () => {
    await block()
    await ask()
    const [payment] = await payments()
    assert(payment, 'there is a payment')
    await beginToPay(payment.trx)
    await step('staffMarkFailed', payment.trx)
    await finishLeaves(app.ctx)
    expect(await state()).toMatchObject({ available: 1_000, leave: { state: 'refused' } })
    expect(await ask({ fields: { ...FIELDS, 'Account number or IBAN': 'DE00 9999' } })).toBe('done')
    expect((await payments())[0]).toMatchObject({ amount: 1_000, state: 'requested' })
  })

  it('a payment that is returned after the account was closed can be withdrawn again', async () => {
    await block()
    await ask()
    const [payment] = await payments()
    assert(payment, 'there is a payment')
    await pay(payment.trx)
    await finishLeaves(app.ctx)
    await setSignIn(true)
    await step('staffReturnWithdrawal', payment.trx)
    alice = await app.signIn('alice', TEST_PASSWORD)
    await app.confirm(alice.token)
    expect(await state()).toMatchObject({ available: 1_000, leave: { state: 'closed' } })
    expect(await ask()).toBe('done')
    await finishLeaves(app.ctx)
    const [again] = await payments()
    assert(again, 'there is a payment')
    await pay(again.trx)
    await finishLeaves(app.ctx)
    expect(await state()).toMatchObject({ available: 0, leave: { state: 'closed' } })
    expect(await account()).toMatchObject({ balance: 0, leaving: { closed_at: expect.any(String) } })
  })

  it('staff who also remove the verification do not prevent the withdrawal of all cash', async () => {
    await sql`update app_user set verified = false where id = ${alice.id}`.execute(app.ctx.db)
    await block()
    expect(await ask()).toBe('done')
  })

  it('money that arrives later is paid to the same destination', async () => {
    await block()
    await ask()
    await post('demo_funds')
    await finishLeaves(app.ctx)
    const [later] = await payments()
    expect(later).toMatchObject({ amount: 500, method: 'Bank transfer', status: 2 })
    expect((await state()).available).toBe(0)
  })

  it('money that arrives later counts as above the principal when a pending payment returns the deposits', async () => {
    await post('demo_funds')
    await block()
    expect(await ask()).toBe('done')
    await post('demo_funds')
    await finishLeaves(app.ctx)
    const shown = await Promise.all((await payments()).map(({ trx }) => lookAt(owner, trx)))
    const parts = shown.map(({ amount, is_above_principal: isAbove }) => `${amount} ${isAbove ? 'above' : 'principal'}`)
    expect(parts.toSorted()).toEqual(['1000 principal', '500 above', '500 above'])
  })

  it('F9: at the limit of text messages, a request for a code is refused with the wait', async () => {
    await block()
    const contact = { email: null, proven_email: null, proven_mobile: '+491701112222' }
    await app.ctx.db.updateTable('app_user').set(contact).where('id', '=', alice.id).execute()
    await spendTries(app.ctx.db, { limit: 'sms_total', key: 'all', left: 1, now: app.ctx.now() })
    const send = () => app.call(calls.sendLeaveCode, { token: alice.token })
    expect((await send()).status).toBe(200)
    const { status, body, headers } = await send()
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_attempts', String(DAY_MS / 1_000)])
  })

  it('neither a small amount nor a method limit holds the money back', async () => {
    await app.ctx.db.updateTable('gateway').set({ min_amount: 500_000n }).where('id', '=', BANK).execute()
    await block()
    expect(await ask()).toBe('done')
  })

  it('the reply to a wrong password is the same as for any other user', async () => {
    await setSignIn(false)
    const logIn = (username: string) => app.call(calls.login, { body: { username, password: 'wrong-one' } })
    expect((await logIn('alice')).body).toEqual((await logIn('nobody')).body)
  })

  it('the leave ends without effect when staff remove the block first', async () => {
    await block()
    await ask()
    await setSignIn(true)
    await finishLeaves(app.ctx)
    alice = await app.signIn('alice', TEST_PASSWORD)
    expect((await state()).leave).toMatchObject({ state: 'lifted' })
    const [payment] = await payments()
    assert(payment, 'there is a payment')
    const cancelled = await app.call(calls.cancelWithdrawal, { token: alice.token, params: { trx: payment.trx } })
    expect(cancelled.status).toBe(200)
    expect(await account()).toMatchObject({ balance: 1_000, leaving: null })
  })
})

describe('A116: attack: withdrawals switched off by one staff member before a block', () => {
  it('a user whose withdrawals were switched off before a block can still leave', async () => {
    const params = { id: alice.id }
    const { version } = (await owner.call(staffCalls.staffUser, { params })).body.data
    const limits = { max_stake: null, max_open_stake: null, withdrawals: false, withdrawals_reason: REASON }
    const body = { version, ...limits, reason: REASON }
    expect((await finance.call(staffCalls.staffSetLimits, { params, body })).status).toBe(200)
    await block()
    expect(await ask()).toBe('done')
  })
})

describe('A115: attack: a leave session that is used for more than leaving', () => {
  it('a leave session can only read, confirm, dispute, protect the account, download own data, leave and log out', async () => {
    await block()
    const every = Object.values<Call>(calls).filter(({ who }) => who !== 'anyone')
    expect(every.filter(({ method, leaving }) => method === 'POST' && leaving).map(({ path }) => path)).toEqual([
      '/user/auth/logout',
      '/user/security/confirm',
      '/user/security/passkey/options',
      '/user/security/sessions/:id/end',
      '/user/security/sessions/end-others',
      '/user/security/sign-ins/noticed',
      '/user/notices/read',
      '/user/profile/password',
      '/user/trade/result',
      '/user/recovery/stop',
      '/user/leave/code',
      '/user/leave',
      '/user/adjustments/:trx/dispute',
      '/user/data/export',
    ])
    for (const { method, path } of every.filter(({ leaving }) => leaving !== true)) {
      const url = `/api${path.replaceAll(/:\w+/g, 'FW-AAAA-BBBB-CCCC')}`
      const headers = { authorization: `Bearer ${alice.token}` }
      const { body } = await app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })
      expect([path, body.code]).toEqual([path, 'leave_only'])
    }
  })

  it('a leave session withdraws no money without a fresh confirmation, or without the PIN of the account', async () => {
    await app.setPin(alice.token, '042713')
    await setSignIn(false)
    alice = await app.signIn('alice', TEST_PASSWORD)
    expect(await ask({ withdrawal_code: '042713' })).toBe('confirmation_needed')
    await app.confirm(alice.token)
    expect(await ask({ withdrawal_code: '' })).toBe('pin_format')
    expect(await ask({ withdrawal_code: '000000' })).toBe('pin_wrong')
    expect((await state()).available).toBe(1_000)
    expect(await ask({ withdrawal_code: '042713' })).toBe('done')
  })

  it('only blocked users can leave with their cash, and other users request a withdrawal', async () => {
    await app.confirm(alice.token)
    expect(await ask()).toBe('leave_blocked_only')
    const insert = sql`insert into user_leave (user_id, id, asked_ms) values (${alice.id}, gen_random_uuid(), 1)`
    await expect(insert.execute(app.ctx.db)).rejects.toThrow(/not blocked/)
  })

  it('twenty concurrent requests to leave cause one payment', async () => {
    await block()
    const code = await leaveCode()
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask({ code })))
    expect(replies.filter((code) => code === 'done')).toHaveLength(1)
    expect(await payments()).toHaveLength(1)
  })
})

describe('A116: attack: refuse the leave of a user as one staff member alone, or for an invalid reason', () => {
  it('a refusal needs two approvers, a reason of the list, and a date within 14 days', async () => {
    await block()
    await ask()
    const [payment] = await payments()
    assert(payment, 'there is a payment')
    const { trx } = payment
    expect(await reject(trx, owner, 'legal', 3)).toBe('reason_not_allowed')
    expect(await reject(trx, owner, 'legal_order')).toBe('again_needed')
    expect(await reject(trx, owner, 'legal_order', 15)).toBe('bad_request')
    expect(await reject(trx, owner, 'identity_failed', 3)).toBe('identity_not_needed')
    expect(await reject(trx, owner, 'legal_order', 14)).toBe('first_rejection')
    expect(await reject(trx, owner, 'legal_order', 14)).not.toBe('rejected')
    expect((await payments())[0]).toMatchObject({ status: 2 })
    expect(await reject(trx, finance, 'legal_order', 14)).toBe('rejected')
    expect(await state()).toMatchObject({ available: 1_000, leave: { state: 'refused' } })
    expect(await ask()).toBe('leave_refused')
    const { withdrawals } = (await app.call(calls.proofServiceLevels)).body.data
    expect(withdrawals.windows[0]?.rejected_by).toEqual({ legal_order: 1 })
    app.ctx.clock.advance(14 * DAY_MS)
    alice = await app.signIn('alice', TEST_PASSWORD)
    await app.confirm(alice.token)
    expect(await ask()).toBe('done')
  })

  it('a doubt about the identity holds back only the amount above the deposits', async () => {
    await post('demo_funds')
    await block()
    await ask()
    const [above, principal] = (await payments()).toSorted((a, b) => a.amount - b.amount)
    assert(above && principal, 'there are two payments')
    expect([above.amount, principal.amount]).toEqual([500, 1_000])
    expect(await reject(principal.trx, owner, 'identity_failed', 7)).toBe('identity_not_needed')
    expect(await reject(above.trx, owner, 'identity_failed', 7)).toBe('first_rejection')
    expect(await reject(above.trx, finance, 'identity_failed', 7)).toBe('rejected')
    await pay(principal.trx)
    expect((await payments()).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([1, 3])
  })

  it('the database refuses other reasons and later dates, whatever the server writes', async () => {
    await block()
    await ask()
    const set = (text: string) => sql.raw(text).execute(app.ctx.db)
    const rejected = (code: string) =>
      set(`update withdrawal set status = 3, state = 'rejected', decided_ms = 1, reason_code = ${code}`)
    for (const code of ['null', `'legal'`, `'identity_failed'`])
      await expect(rejected(code)).rejects.toThrow(/withdrawal_(leave_)?reason/)
    const setEnd = (state: string, again: string) =>
      set(`update user_leave set state = '${state}', ended_ms = asked_ms, again_ms = ${again}`)
    await expect(setEnd('refused', `asked_ms + ${15 * DAY_MS}`)).rejects.toThrow(/again_check/)
    await expect(setEnd('closed', 'null')).rejects.toThrow(/still owed/)
    await expect(set('delete from user_leave')).rejects.toThrow(/permission denied/)
  })
})

describe('A190: attack: take the money of a blocked account without a PIN, with its password alone', () => {
  const checks = async (trx: string) =>
    (await owner.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data.checks.map(({ check }) => check)
  const payment = async () => {
    const [newest] = await payments()
    assert(newest, 'there is a payment')
    return newest
  }

  it('without a PIN, leaving needs a code sent to the verified contact, which is valid once and for ten minutes', async () => {
    await block()
    expect(await ask({ code: '' })).toBe('code_wrong')
    const old = await leaveCode()
    app.ctx.clock.advance(CODE_LIFETIME_MS)
    await app.confirm(alice.token)
    expect(await ask({ code: old })).toBe('code_wrong')
    const code = await leaveCode()
    expect(await ask({ code: code === '000000' ? '000001' : '000000' })).toBe('code_wrong')
    expect(await ask({ code })).toBe('done')
    expect(await ask({ code })).not.toBe('done')
    expect(await checks((await payment()).trx)).toContain('code_confirmed')
  })

  it('leaving locks after five wrong codes', async () => {
    await block()
    const code = await leaveCode()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let turn = 0; turn < 5; turn += 1) expect(await ask({ code: wrong })).toBe('code_wrong')
    expect(await ask({ code })).toBe('too_many_attempts')
  })

  it('without a verified contact, staff see that nothing was confirmed, and two approvers decide about any amount', async () => {
    await sql`update app_user set proven_email = null where id = ${alice.id}`.execute(app.ctx.db)
    await block()
    expect((await state()).code_to).toBeNull()
    expect(await ask({ code: '' })).toBe('done')
    const { trx } = await payment()
    expect(await checks(trx)).toContain('not_confirmed')
    expect(await checks(trx)).not.toContain('pin_confirmed')
    await beginToPay(trx)
    const steps = await sql<{ step: number }>`
      select step from approval where kind = 'withdrawal' and subject = ${trx} order by step`.execute(database.db)
    expect(steps.rows.map(({ step }) => step)).toEqual([1, 2])
  })
})
