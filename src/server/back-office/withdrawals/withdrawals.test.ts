import { randomUUID } from 'node:crypto'
import { payInFull } from '#test/support/pay-withdrawal.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { auditEntries } from '#server/audit/audit.queries.ts'
import { endAllApprovals, openApprovalsOf } from '#server/audit/dual-approval.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const DEMO_FUNDS = 1
const BANK = 101
const PIN = '042713'
const DETAILS = {
  'Account holder': 'Alice Ames',
  Bank: 'First',
  'Account number or IBAN': 'DE89 3704 0044 0532 0130 00',
}

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let finance: StaffSession
let finance2: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  // A decision and its transfer must have the same time. Each reading of the clock returns a different time here, so
  // two readings would be detected.
  app.ctx.clock.perReadingMs = 1
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 9_000, method_id: DEMO_FUNDS } })
  await app.setPin(user.token, PIN, { 101: DETAILS })
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
})
afterEach(async () => {
  // After every test the ledger must reconcile.
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
  await app.stop()
})

/** Requests a withdrawal and returns its reference. Amounts of more than 1,500.00 need two approvals. */
async function ask(amount = 100, fields: Record<string, string> = DETAILS): Promise<string> {
  if (fields !== DETAILS) await app.setDetails(user.token, { 101: fields })
  const { body } = await app.call(calls.saveWithdrawal, {
    token: user.token,
    body: { amount, method_id: BANK, withdrawal_code: PIN, fields },
  })
  return body.data.withdrawal.trx
}

async function look(who: StaffSession, trx: string) {
  return (await who.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data
}

async function approve(who: StaffSession, trx: string, hash?: string) {
  const contentHash = hash ?? (await look(who, trx)).content_hash
  const { body } = await who.call(staffCalls.staffApproveWithdrawal, {
    params: { trx },
    body: { content_hash: contentHash, request_id: randomUUID(), reason: 'looked at' },
  })
  return body.code ?? body.data.outcome
}

/** Approves a withdrawal, starts the payment and records it as paid. */
const pay = (who: StaffSession, trx: string) => payInFull(who, trx)

async function reject(who: StaffSession, trx: string, { words = 'this account is closed', hash = '' } = {}) {
  const contentHash = hash === '' ? (await look(who, trx)).content_hash : hash
  const { body } = await who.call(staffCalls.staffRejectWithdrawal, {
    params: { trx },
    body: { content_hash: contentHash, request_id: randomUUID(), words, reason_code: 'provider_refused' },
  })
  return body.code ?? body.data.outcome
}

async function cancel(trx: string) {
  const { body } = await app.call(calls.cancelWithdrawal, { token: user.token, params: { trx } })
  return body.code ?? 'cancelled'
}

async function money() {
  const { balance, withdrawing } = (await app.call(calls.profile, { token: user.token })).body.data.user
  return [balance, withdrawing]
}

async function list(query: Record<string, string | number>) {
  return (await finance.call(staffCalls.staffWithdrawals, { query })).body.data
}

async function figures() {
  return (await finance.call(staffCalls.staffWithdrawalFigures)).body.data
}

describe('the queue', () => {
  it('lists pending withdrawals oldest first, and others newest first', async () => {
    const references: string[] = []
    for (const amount of [100, 200, 300, 400]) {
      references.push(await ask(amount))
      app.ctx.clock.advance(MINUTE_MS)
    }
    const [first, second, third, fourth] = references
    await pay(finance, first!)
    await reject(finance, second!)
    await cancel(third!)
    const trxs = async (state: string) => (await list({ state })).rows.map(({ trx }) => trx)
    expect(await trxs('waiting')).toEqual([fourth])
    expect(await trxs('paid')).toEqual([first])
    expect((await list({ state: 'rejected' })).rows).toMatchObject([
      { trx: third, state: 'cancelled' },
      { trx: second, state: 'rejected' },
    ])
    expect(await trxs('')).toEqual(references.toReversed())
  })

  it('skips and repeats nothing across pages, even with equal request times', async () => {
    const references: string[] = []
    for (let turn = 0; turn < 7; turn += 1) references.push(await ask(100 + turn))
    for (const state of ['waiting', '']) {
      const seen: string[] = []
      let after = ''
      do {
        const page = await list({ state, limit: 2, ...(after !== '' && { after }) })
        seen.push(...page.rows.map(({ trx }) => trx))
        after = page.next ?? ''
      } while (after !== '')
      expect(seen.toSorted(), state).toEqual(references.toSorted())
    }
  })

  it('returns nothing after a cursor of another list', async () => {
    await ask()
    const after = Buffer.from('["x",1]').toString('base64url')
    expect(await list({ after })).toEqual({ rows: [], next: null })
  })

  it('finds withdrawals by user, reference and amount', async () => {
    const trx = await ask(1_234.5)
    await ask(100)
    expect((await list({ search: user.username.toUpperCase() })).rows).toHaveLength(2)
    for (const search of [trx.toLowerCase(), '$1,234.50', '1234.5']) {
      expect(
        (await list({ search })).rows.map((row) => row.trx),
        search,
      ).toEqual([trx])
    }
    expect((await list({ search: "x' or 1=1 --" })).rows).toEqual([])
  })

  it('shows warnings', async () => {
    const first = await ask()
    expect((await list({})).rows[0]).toMatchObject({
      pay_to: 'DE89 …3000',
      amount: 100,
      charge: 5.5,
      paid_out: 94.5,
      concerns: ['known_details'],
    })
    await pay(finance, first)
    await app.call(calls.saveWithdrawalPin, {
      token: user.token,
      body: { current_withdrawal_code: PIN, withdrawal_code: '111222', withdrawal_code_confirmation: '111222' },
    })
    await app.endPauses()
    await app.ctx.db
      .updateTable('app_user')
      .set({ firstname: 'Bob', lastname: 'Ames', verified: true })
      .where('username', '=', 'alice')
      .execute()
    app.ctx.clock.advance(10 * MINUTE_MS)
    const { body } = await app.call(calls.saveWithdrawal, {
      token: user.token,
      body: { amount: 200, method_id: BANK, withdrawal_code: '111222', fields: DETAILS },
    })
    const detail = await look(finance, body.data.withdrawal.trx)
    expect(detail.concerns).toEqual(['pin_age', 'name'])
    expect(detail.checks).toContainEqual({ check: 'known_details', passed: true, count: 1 })
    expect((await look(finance, first)).checks, 'what is decided is not checked again').toEqual([])
  })

  it('F70: exports full payment details with the rate, and a byte-order mark on request', async () => {
    await ask(100)
    const file = async (query: string) => (await finance.read(`/admin/withdrawals.csv?state=waiting${query}`)).text
    const lines = (await file('&bom=no')).split('\r\n')
    expect(lines[0]).toMatch(/^trx,state,.*,pay_to,currency,amount,charge,rate,paid_out,/)
    expect(lines[1]).toContain(
      'Account holder: Alice Ames; Bank: First; Account number or IBAN: DE89 3704 0044 0532 0130 00',
    )
    expect(await file('')).toBe(`\uFEFF${lines.join('\r\n')}`)
    const { rows } = await list({ state: 'waiting' })
    expect(rows[0]?.pay_to, 'on the screen it stays short').toBe('DE89 …3000')
  })

  it('F70: refuses the file with payment details to roles that do not see the queue', async () => {
    await ask(100)
    for (const role of ['markets', 'content'] as const) {
      const { status, text } = await (await app.staff(role)).read('/admin/withdrawals.csv')
      expect([role, status]).toEqual([role, 403])
      expect(text).not.toContain('Alice Ames')
    }
  })

  it('F61: a withdrawal with two approvals names both staff members in list, detail and export', async () => {
    const trx = await ask(2_000)
    await approve(finance, trx)
    await approve(finance2, trx)
    const named = { first_by: 'finance', decided_by: 'finance2', decided_at: expect.any(String) }
    expect(await look(finance, trx)).toMatchObject(named)
    expect((await list({ search: trx })).rows).toMatchObject([{ trx, ...named }])
    const { text } = await finance.read(`/admin/withdrawals.csv?search=${trx}&bom=no`)
    const [names = [], values = []] = text.split('\r\n').map((line) => line.split(','))
    const valueOf = (name: string) => values[names.indexOf(name)]
    expect(names).toEqual(expect.arrayContaining(['first_by', 'decided_by', 'decided_at']))
    expect([valueOf('first_by'), valueOf('decided_by')]).toEqual(['finance', 'finance2'])
    expect(valueOf('decided_at')).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('F61: a rejected withdrawal names the staff member, and a cancelled one names none', async () => {
    const rejected = await ask(100)
    await reject(finance, rejected)
    expect(await look(finance, rejected)).toMatchObject({ first_by: null, decided_by: 'finance' })
    const cancelled = await ask(100)
    await cancel(cancelled)
    expect(await look(finance, cancelled)).toMatchObject({ decided_by: null, decided_at: expect.any(String) })
  })

  it('exports CSV without formulas for spreadsheets', async () => {
    await ask(100, { ...DETAILS, 'Account number or IBAN': '=1+12345' })
    const { headers, text } = await finance.read('/admin/withdrawals.csv?state=waiting')
    expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="withdrawals.csv"' })
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFtrx,state,user_id,username,/)
    // The label in front of "=" prevents a formula, even in spreadsheets that split cells at semicolons.
    expect(lines[1]).toContain('Account holder: Alice Ames; Bank: First; Account number or IBAN: =1+12345')
    expect(lines).toHaveLength(3)
  })
})

describe('the figures', () => {
  it('cover pending withdrawals and those paid in the last 7 days', async () => {
    app.ctx.clock.perReadingMs = 0
    expect(await figures()).toEqual({
      waiting: 0,
      second_person: 0,
      to_pay: 0,
      being_paid: 0,
      sum: 0,
      oldest_at: null,
      median_ms: null,
    })
    const paid = [await ask(), await ask(), await ask()]
    for (const trx of paid) {
      app.ctx.clock.advance(10 * MINUTE_MS)
      await pay(finance, trx)
    }
    const since = new Date(app.ctx.now()).toISOString()
    await ask(200)
    const large = await ask(2_000)
    await approve(finance, large)
    expect(await figures()).toEqual({
      waiting: 2,
      second_person: 1,
      to_pay: 0,
      being_paid: 0,
      sum: 2_200,
      oldest_at: since,
      median_ms: 20 * MINUTE_MS,
    })
    expect((await list({ state: 'second_person' })).rows).toMatchObject([{ trx: large, first_by: 'finance' }])
    await approve(finance2, large)
    expect(await figures()).toMatchObject({ waiting: 1, second_person: 0, to_pay: 1 })
    expect((await list({ state: 'second_person' })).rows).toEqual([])
  })

  it('count no first approval that has ended', async () => {
    const large = await ask(2_000)
    await approve(finance, large)
    expect(await figures()).toMatchObject({ waiting: 1, second_person: 1 })
    await app.ctx.db.transaction().execute(async (tx) => endAllApprovals(app.ctx, tx))
    expect(await figures()).toMatchObject({ waiting: 1, second_person: 0 })
    expect((await list({ state: 'second_person' })).rows).toEqual([])
    await approve(finance, large)
    expect(await figures()).toMatchObject({ waiting: 1, second_person: 1 })
    await database.asOwner((owner) =>
      owner.updateTable('withdrawal').set({ paid_out: 9_999n }).where('trx', '=', large).execute(),
    )
    expect(await figures()).toMatchObject({ waiting: 1, second_person: 0 })
    expect((await list({ state: 'second_person' })).rows).toEqual([])
  })

  it('in the navigation contain only the queues that the role may see', async () => {
    await ask()
    const counts = async (name: string) => (await (await app.staff(name)).call(staffCalls.staffCounts)).body.data
    const none = { deposits: null, withdrawals: null, corrections: null, recoveries: null, tickets: null }
    const nothing = { ...none, changes: 0, alerts: 0 }
    expect(await counts('support')).toEqual({ ...nothing, deposits: 0, withdrawals: 1, recoveries: 0, tickets: 0 })
    expect(await counts('content')).toEqual(nothing)
  })
})

describe('a withdrawal', () => {
  it("shows the payment details, the transfers before and after, and the user's activity", async () => {
    const trx = await ask()
    const detail = await look(finance, trx)
    expect(detail.details).toContainEqual({ label: 'Account holder', value: 'Alice Ames' })
    const hold = { kind: 'withdrawal_request', from: 'cash', to: 'withdrawing', amount: 100, at: detail.created_at }
    const payout = { kind: 'withdrawal_paid', from: 'withdrawing', to: 'house:withdrawals', amount: 94.5 }
    const fee = { kind: 'withdrawal_fee', from: 'withdrawing', to: 'house:fees', amount: 5.5 }
    expect(detail.moves).toEqual([hold, { ...payout, at: null }, { ...fee, at: null }])
    expect(detail.recent).toEqual({ deposited: 9_000, withdrawn: 0, orders: 0, won: 0 })

    await pay(finance, trx)
    const paid = await look(finance, trx)
    const at = paid.steps.find(({ step }) => step === 'paid')?.at
    expect(paid.moves).toEqual([hold, { ...payout, at }, { ...fee, at }])
    expect(paid.recent).toMatchObject({ withdrawn: 100 })
    expect((await finance.call(staffCalls.staffWithdrawal, { params: { trx: 'FW-0' } })).status).toBe(404)
  })

  it('AT42: is approved once under concurrent approvals', async () => {
    const trx = await ask()
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, place) => approve(place % 2 === 0 ? finance : finance2, trx, hash)),
    )
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'already_decided')).toHaveLength(11)
    expect(await money(), 'approving moves nothing').toEqual([8_900, 100])
  })

  it.each([0, 1, 2])(
    'AT42: is either rejected or cancelled, and the money returned, when approval, rejection and cancellation are concurrent (%i first)',
    async (first) => {
      const trx = await ask()
      const { content_hash: hash } = await look(finance, trx)
      const ways = [() => approve(finance, trx, hash), () => reject(finance2, trx, { hash }), () => cancel(trx)]
      const turned = [...ways.slice(first), ...ways.slice(0, first)]
      const outcomes = await Promise.all(turned.map((way) => way()))
      const won = outcomes.filter((outcome) => ['rejected', 'cancelled'].includes(outcome))
      expect(won).toHaveLength(1)
      expect(await money()).toEqual([9_000, 0])
    },
  )

  it('AT42: that was rejected returns the money, shows the user the reason, and cannot be approved or cancelled any more', async () => {
    const trx = await ask()
    expect(await reject(finance, trx, { words: ' this account is closed ' })).toBe('rejected')
    expect(await approve(finance, trx)).toBe('already_decided')
    expect(await reject(finance2, trx)).toBe('already_decided')
    expect(await cancel(trx)).toBe('withdrawal_decided')
    const { body } = await app.call(calls.withdrawals, { token: user.token })
    expect(body.data.withdrawals[0]).toMatchObject({ status: 3, admin_feedback: 'this account is closed' })
    expect(await money()).toEqual([9_000, 0])
  })

  it('F66: tells a staff member who decides too late that the user cancelled it, or who approved it and when', async () => {
    const late = async (trx: string, hash: string) => {
      const given = { params: { trx }, body: { content_hash: hash, request_id: randomUUID() } }
      return (await finance2.call(staffCalls.staffApproveWithdrawal, given)).body.message
    }
    const cancelled = await ask()
    const paid = await ask()
    const hashes = [(await look(finance, cancelled)).content_hash, (await look(finance, paid)).content_hash] as const
    await cancel(cancelled)
    await approve(finance, paid)
    expect(await late(cancelled, hashes[0])).toBe('The user cancelled this. Your decision was not carried out.')
    expect(await late(paid, hashes[1])).toMatch(
      /^finance approved this on .* UTC\. Your decision was not carried out\.$/,
    )
    expect(await look(finance, cancelled)).toMatchObject({ decided_by: null, decided_at: expect.any(String) })
    expect(await look(finance, paid)).toMatchObject({ first_by: null, decided_by: 'finance' })
  })

  it('a withdrawal that does not exist cannot be approved, rejected or cancelled', async () => {
    const { content_hash: hash } = await look(finance, await ask())
    expect(await approve(finance, 'NOSUCHWITHDRAWAL', hash)).toBe('not_found')
    expect(await reject(finance, 'NOSUCHWITHDRAWAL', { hash })).toBe('not_found')
    expect(await cancel('NOSUCHWITHDRAWAL')).toBe('not_found')
    expect(await money()).toEqual([8_900, 100])
  })

  it("can be cancelled once by its user, says so in the list, and the user's open pages are notified", async () => {
    const trx = await ask()
    const eventCount = app.ctx.announced.length
    expect(await cancel(trx)).toBe('cancelled')
    expect(await cancel(trx)).toBe('withdrawal_decided')
    const { body } = await app.call(calls.withdrawals, { token: user.token })
    expect(body.data.withdrawals[0]).toMatchObject({ admin_feedback: 'You cancelled this withdrawal' })
    expect(app.ctx.announced.slice(eventCount).map(({ kind }) => kind)).toContain('balance-changed')
  })

  it('needs a reason for a rejection', async () => {
    const trx = await ask()
    expect(await reject(finance, trx, { words: '  ' })).toBe('words_needed')
    expect(await money()).toEqual([8_900, 100])
  })

  it.each([
    ['details', { details: '{"IBAN":"XX"}' }],
    ['what is paid out', { paid_out: 9_999n }],
    ['currency', { currency: 'EUR' }],
  ])(
    'AT29, AT42: whose %s changed after a staff member saw it can be neither approved nor rejected',
    async (_, change) => {
      const trx = await ask()
      const { content_hash: hash } = await look(finance, trx)
      await database.asOwner((owner) => owner.updateTable('withdrawal').set(change).where('trx', '=', trx).execute())
      expect(await approve(finance, trx, hash)).toBe('content_changed')
      expect(await reject(finance, trx, { hash })).toBe('content_changed')
      expect(await money()).toEqual([8_900, 100])
    },
  )

  it('AC6, AT29: needs a new review, and two new approvals, after its user changed the payment details', async () => {
    const save = (iban: string) =>
      app.call(calls.saveWithdrawMethod, {
        token: user.token,
        body: { withdraw_method_id: BANK, withdrawal_information: { ...DETAILS, 'Account number or IBAN': iban } },
      })
    await save('DE1')
    const trx = await ask(2_000, { ...DETAILS, 'Account number or IBAN': 'DE1' })
    const { content_hash: hash, details } = await look(finance, trx)
    expect(await approve(finance, trx, hash)).toBe('first_approval')
    await save('DE1')
    expect((await look(finance, trx)).first_by, 'the same place').toBe('finance')

    await save('DE2')
    expect(await approve(finance2, trx, hash)).toBe('content_changed')
    const now = await look(finance2, trx)
    expect([now.first_by, now.details]).toEqual([null, details])
    expect(now.checks).toContainEqual({ check: 'details_stand', passed: false, count: null })
    expect(await approve(finance2, trx)).toBe('first_approval')
    expect(await approve(finance, trx)).toBe('approved')
    const { body } = await app.call(calls.saveWithdrawal, {
      token: user.token,
      body: { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: DETAILS },
    })
    expect(body.code).toBe('withdrawals_paused')
  })

  it('shows its notes only to staff', async () => {
    const trx = await ask()
    const support = await app.staff('support')
    const remark = (text: string) => support.call(staffCalls.staffRemarkWithdrawal, { params: { trx }, body: { text } })
    expect((await remark(' ')).body).toMatchObject({ code: 'remark_needed', errors: { text: [expect.any(String)] } })
    expect((await remark(' Called: it is her account. ')).body.data.remarks).toMatchObject([
      { who: 'support', text: 'Called: it is her account.' },
    ])
    expect((await look(finance, trx)).remarks).toHaveLength(1)
    const { body } = await app.call(calls.withdrawals, { token: user.token })
    expect(JSON.stringify(body)).not.toContain('her account')
    const unknown = await support.call(staffCalls.staffRemarkWithdrawal, {
      params: { trx: 'FW-0' },
      body: { text: 'x' },
    })
    expect(unknown.status).toBe(404)
  })

  it('a rejected withdrawal has an audit entry that names who rejected it, the reason and both states', async () => {
    const trx = await ask()
    await reject(finance, trx)
    const rows = await auditEntries(app.ctx.db).where('a.target', '=', trx).execute()
    expect(rows).toMatchObject([
      {
        who: 'finance',
        what: 'withdrawals/:trx/reject',
        reason: 'this account is closed',
        outcome: 'done',
        before: { state: 'requested' },
        after: { state: 'rejected', amount: '10000', reasonCode: 'provider_refused' },
      },
    ])
  })
})

describe('AT42: above the dual-approval limit', () => {
  it('a withdrawal needs approvals of two staff members', async () => {
    const trx = await ask(1_500.01)
    expect(await approve(finance, trx)).toBe('first_approval')
    expect(await money(), 'nothing moves yet').toEqual([7_499.99, 1_500.01])
    expect(await look(finance2, trx)).toMatchObject({ state: 'requested', first_by: 'finance', needs_two: true })
    expect(await approve(finance2, trx)).toBe('approved')
    expect(await look(finance, trx)).toMatchObject({ first_by: 'finance', decided_by: 'finance2' })
    expect(await money()).toEqual([7_499.99, 1_500.01])
  })

  it('a withdrawal of exactly the limit needs one approval', async () => {
    expect(await approve(finance, await ask(1_500))).toBe('approved')
  })

  it('a staff member cannot approve a withdrawal twice, even from two sessions', async () => {
    const trx = await ask(2_000)
    const sameAgain = await app.staff('finance')
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all([finance, sameAgain, finance, sameAgain].map((who) => approve(who, trx, hash)))
    expect(outcomes.toSorted()).toEqual([
      'first_approval',
      'second_person_needed',
      'second_person_needed',
      'second_person_needed',
    ])
    expect(await money()).toEqual([7_000, 2_000])
  })

  it('concurrent approvals of two staff members approve a withdrawal once', async () => {
    const trx = await ask(2_000)
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all([
      approve(finance, trx, hash),
      approve(finance2, trx, hash),
      approve(finance, trx, hash),
    ])
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
    expect(await money()).toEqual([7_000, 2_000])
  })

  it('the first approval of a withdrawal ends when its content changes', async () => {
    const trx = await ask(2_000)
    expect(await approve(finance, trx)).toBe('first_approval')
    await app.ctx.db.updateTable('withdrawal').set({ details: '{"IBAN":"XX"}' }).where('trx', '=', trx).execute()
    expect((await look(finance2, trx)).first_by).toBeNull()
    expect(await approve(finance2, trx), 'the second person becomes the first').toBe('first_approval')
    expect(await money()).toEqual([7_000, 2_000])
  })

  it('a second staff member can reject a withdrawal, and a rejection or cancellation ends its first approval', async () => {
    const rejected = await ask(2_000)
    const cancelled = await ask(2_000)
    const hashes = new Map<string, string>()
    for (const trx of [rejected, cancelled]) {
      hashes.set(trx, (await look(finance, trx)).content_hash)
      await approve(finance, trx)
    }
    expect((await openApprovalsOf(app.ctx.db, 'withdrawal', hashes)).size).toBe(2)
    expect(await reject(finance2, rejected)).toBe('rejected')
    expect(await cancel(cancelled)).toBe('cancelled')
    expect((await openApprovalsOf(app.ctx.db, 'withdrawal', hashes)).size).toBe(0)
    expect(await approve(finance2, cancelled)).toBe('already_decided')
    expect(await money()).toEqual([9_000, 0])
  })

  it('a withdrawal is cancelled when its user cancels while a second staff member approves', async () => {
    const trx = await ask(2_000)
    await approve(finance, trx)
    const { content_hash: hash } = await look(finance2, trx)
    const [cancelled, approved] = await Promise.all([cancel(trx), approve(finance2, trx, hash)])
    expect(cancelled).toBe('cancelled')
    expect(['approved', 'already_decided', 'content_changed']).toContain(approved)
    expect(await money()).toEqual([9_000, 0])
  })

  it('withdrawals of other users to the same destination within 24 hours count towards the limit', async () => {
    const first = await ask(1_000)
    expect(await approve(finance, first)).toBe('approved')
    user = await app.verifiedUser('bob')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 9_000, method_id: DEMO_FUNDS } })
    await app.setPin(user.token, PIN, { 101: DETAILS })
    const [within, above] = [await ask(500), await ask(50)]
    expect(await approve(finance2, within)).toBe('approved')
    expect(await approve(finance2, above)).toBe('first_approval')
    expect(await approve(finance, above)).toBe('approved')
  })

  it('another spelling of a destination, or another bank name, is the same destination', async () => {
    expect(await approve(finance, await ask(1_000))).toBe('approved')
    user = await app.verifiedUser('bob')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 9_000, method_id: DEMO_FUNDS } })
    const respelled = { ...DETAILS, Bank: 'First.', 'Account number or IBAN': 'de89370400440532013000' }
    await app.setPin(user.token, PIN)
    const trx = await ask(1_000, respelled)
    expect((await look(finance, trx)).concerns).toContain('destination_shared')
    expect(await approve(finance2, trx)).toBe('first_approval')
  })

  it('a withdrawal cannot be approved from the command line, but can be rejected there', async () => {
    const trx = await ask(1_500.01)
    const run = (...args: string[]) => runCommand({ ...app, dataDir: '/nowhere' }, args, 'operator')
    const { exitCode, lines } = await run('withdrawals', 'approve', trx)
    expect([exitCode, lines.join(' ')]).toEqual([1, expect.stringContaining('needs two approvers')])
    expect(await money()).toEqual([7_499.99, 1_500.01])
    expect((await run('withdrawals', 'reject', trx, '--words', 'No', '--reason', 'legal')).exitCode).toBe(0)
  })
})
