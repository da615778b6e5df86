import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { stateAfter, type WithdrawalState, type WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import { deleteExpired } from '#server/app/jobs/delete-expired.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { checkAndSave } from '#server/ledger/reconciliation/save-result.ts'
import { cancelWithdrawal } from '#server/payments/withdrawals/cancel-withdrawal.ts'
import { lookAt, payInFull, stepBody } from '#test/support/pay-withdrawal.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const [BANK, TRC20, DEMO_FUNDS] = [101, 102, 1]
const PIN = '042713'
const FIELDS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044' }
const TRON = { 'Wallet address (TRC-20)': 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' }
const STEPS = {
  approve: staffCalls.staffApproveWithdrawal,
  pay: staffCalls.staffStartPaying,
  paid: staffCalls.staffMarkPaid,
  unsend: staffCalls.staffMarkUnsent,
  fail: staffCalls.staffMarkFailed,
  return: staffCalls.staffReturnWithdrawal,
  'take-over': staffCalls.staffTakeOverWithdrawal,
} as const
type StepName = keyof typeof STEPS

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let [finance, finance2, owner]: StaffSession[] = []
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 9_000, method_id: DEMO_FUNDS } })
  await app.setPin(user.token, PIN, { 101: FIELDS, 102: TRON })
  ;[finance, finance2, owner] = [await app.staff('finance'), await app.staff('finance2'), await app.staff('owner')]
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
  await app.stop()
})

async function ask(amount = 100, method = BANK): Promise<string> {
  const fields = method === BANK ? FIELDS : TRON
  const body = { amount, method_id: method, withdrawal_code: PIN, fields }
  return (await app.call(calls.saveWithdrawal, { token: user.token, body })).body.data.withdrawal.trx
}

/**
 * Takes a step as a staff member. `more` replaces the default fields, such as the current content hash and a new
 * request id.
 */
async function step(who: StaffSession | undefined, name: StepName, trx: string, more: Record<string, unknown> = {}) {
  assert(who, 'somebody takes the step')
  const body = { ...(await stepBody(who, trx)), reference: `ref ${trx}`, words: 'said', reason: 'looked at', ...more }
  const { body: reply } = await who.call(STEPS[name], { params: { trx }, body })
  return { code: reply.code ?? reply.data.outcome, message: reply.message }
}
const outcome = async (...given: Parameters<typeof step>) => (await step(...given)).code
const cancel = async (trx: string) =>
  (await app.call(calls.cancelWithdrawal, { token: user.token, params: { trx } })).body.code ?? 'cancelled'
async function money() {
  const { balance, withdrawing } = (await app.call(calls.profile, { token: user.token })).body.data.user
  return [balance, withdrawing]
}
const own = async () => (await app.call(calls.withdrawals, { token: user.token })).body.data.withdrawals[0]

describe('the payment of a withdrawal', () => {
  it('moves the money when it is recorded as paid, not when it is approved, and shows its user every step', async () => {
    const trx = await ask()
    expect(await outcome(finance, 'pay', trx)).toBe('not_approved')
    expect(await outcome(finance, 'approve', trx)).toBe('approved')
    expect(await own()).toMatchObject({ status: 2, state: 'approved', can_cancel: true })
    expect(await money(), 'approving moves nothing').toEqual([8_900, 100])
    expect(await outcome(finance, 'pay', trx)).toBe('paying')
    expect(await own()).toMatchObject({ state: 'paying', can_cancel: false })
    expect(await outcome(finance, 'paid', trx, { reference: ' E2E  7 ' })).toBe('paid')
    expect(await money()).toEqual([8_900, 0])
    const { steps, ...paid } = (await own())!
    expect(paid).toMatchObject({ status: 1, state: 'paid', reference: 'E2E 7', due_at: null })
    expect(steps.map((one) => one.step)).toEqual(['requested', 'approved', 'paying', 'paid'])
    expect(await lookAt(finance!, trx)).toMatchObject({ decided_by: 'finance', paid_by: 'finance', reference: 'E2E 7' })
  })

  it('a payment is started by one staff member, whose name others see, and only this member or an owner who takes over can end it', async () => {
    const trx = await ask()
    await step(finance, 'approve', trx)
    const begun = await Promise.all([finance, finance2].map((who) => step(who, 'pay', trx)))
    expect(begun.map(({ code }) => code).toSorted()).toEqual(['paying', expect.stringMatching(/being_paid|changed/)])
    const payer = begun[0]?.code === 'paying' ? finance : finance2
    const other = payer === finance ? finance2 : finance
    const name = payer === finance ? 'finance' : 'finance2'
    expect(await step(other, 'pay', trx)).toEqual({
      code: 'withdrawal_being_paid',
      message: `${name} is paying this right now.`,
    })
    for (const way of ['paid', 'unsend', 'fail'] as const) expect(await outcome(other, way, trx)).toBe('not_yours')
    expect((await other!.call(STEPS['take-over'], { params: { trx }, body: await stepBody(other!, trx) })).status).toBe(
      403,
    )
    const { content_hash: old } = await stepBody(payer!, trx)
    expect(await outcome(owner, 'take-over', trx, { reason: ' ' })).toBe('reason_needed')
    expect(await outcome(owner, 'take-over', trx)).toBe('taken_over')
    expect(await outcome(payer, 'paid', trx)).toBe('not_yours')
    expect(await outcome(owner, 'paid', trx, { content_hash: old }), 'an old page').toBe('content_changed')
    expect(await outcome(owner, 'paid', trx)).toBe('paid')
  })

  it('can be marked as unsent and then cancelled by the user, or marked as failed, which returns the whole amount', async () => {
    const trx = await ask()
    await step(finance, 'approve', trx)
    await step(finance, 'pay', trx)
    expect(await cancel(trx)).toBe('withdrawal_being_paid')
    expect(await outcome(finance, 'unsend', trx, { words: '' })).toBe('words_needed')
    expect(await outcome(finance, 'unsend', trx)).toBe('unsent')
    expect(await cancel(trx)).toBe('cancelled')
    expect(await money()).toEqual([9_000, 0])
    const other = await ask(200)
    await step(finance, 'approve', other)
    await step(finance, 'pay', other)
    expect(await outcome(finance, 'fail', other, { words: 'The bank closed this account.' })).toBe('failed')
    expect(await outcome(finance, 'paid', other)).toBe('not_being_paid')
    expect(await own()).toMatchObject({ status: 3, state: 'failed', admin_feedback: 'The bank closed this account.' })
    expect(await money()).toEqual([9_000, 0])
  })

  it('a payment that came back is credited to the user, and above the limit two staff members must record it', async () => {
    const trx = await ask()
    expect(await outcome(finance, 'return', trx)).toBe('not_paid')
    await payInFull(finance!, trx)
    expect(await outcome(finance, 'return', trx, { reference: '' })).toBe('reference_needed')
    expect(await outcome(finance, 'return', trx)).toBe('returned')
    const again = await step(finance, 'return', trx)
    expect(again).toMatchObject({
      code: 'already_decided',
      message: expect.stringMatching(/ recorded on .* UTC that the money came back\. Nothing was changed now\.$/),
    })
    const late = [
      ['approve', 'already_decided', /that the money came back/],
      ['pay', 'not_approved', /^This is not approved, so its payment cannot begin\. .* that the money came back\.$/],
      ['paid', 'not_being_paid', /^This is not being paid\. .* that the money came back\.$/],
      ['unsend', 'not_being_paid', /that the money came back/],
      ['fail', 'not_being_paid', /that the money came back/],
    ] as const
    for (const [what, code, message] of late)
      expect(await step(finance, what, trx), what).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(await money()).toEqual([9_000, 0])
    const house = (await checkLedger(app.ctx.db)).house
    expect([house.get('house:withdrawals'), house.get('house:fees')]).toEqual([0n, 0n])
    const large = await ask(2_000)
    await step(finance, 'approve', large)
    await step(finance2, 'approve', large)
    await step(finance, 'pay', large)
    await step(finance, 'paid', large)
    expect(await outcome(finance, 'return', large)).toBe('first_return')
    expect(await outcome(finance, 'return', large)).toBe('second_person_needed')
    expect(await money()).toEqual([7_000, 0])
    expect(await outcome(finance2, 'return', large)).toBe('returned')
    expect(await money()).toEqual([9_000, 0])
  })

  it('a payment is recorded only with a valid network reference that no other payment of the method has, and not with a future time', async () => {
    const [first, second] = [await ask(100, TRC20), await ask(200, TRC20)]
    for (const trx of [first, second]) {
      await step(finance, 'approve', trx)
      await step(finance, 'pay', trx)
    }
    const reference = 'AB'.repeat(32)
    expect(await outcome(finance, 'paid', first, { reference: '' })).toBe('reference_needed')
    expect(await outcome(finance, 'paid', first, { reference: 'bank 7' })).toBe('reference_form')
    const late = new Date(app.ctx.now() + HOUR_MS).toISOString()
    expect(await outcome(finance, 'paid', first, { reference, paid_at: late })).toBe('paid_at_invalid')
    expect(await outcome(finance, 'paid', first, { reference })).toBe('paid')
    expect(await step(finance, 'paid', second, { reference: reference.toLowerCase() })).toMatchObject({
      code: 'reference_used',
      message: `This reference belongs to ${first}.`,
    })
  })

  it('gives a repeated call the same reply, and refuses the same request id with other content', async () => {
    const trx = await ask()
    await step(finance, 'approve', trx)
    await step(finance, 'pay', trx)
    const body = { ...(await stepBody(finance!, trx)), reference: 'B-7' }
    const send = (more = {}) => finance!.call(STEPS.paid, { params: { trx }, body: { ...body, ...more } })
    const replies = await Promise.all([send(), send(), send()])
    expect(replies.map(({ body: { data } }) => data.outcome)).toEqual(['paid', 'paid', 'paid'])
    expect(await send({ reference: 'B-8' })).toMatchObject({ status: 409, body: { code: 'request_conflict' } })
    expect((await lookAt(finance!, trx)).moves.map(({ kind }) => kind)).toEqual([
      'withdrawal_request',
      'withdrawal_paid',
      'withdrawal_fee',
    ])
  })

  it('cannot start while the last reconciliation shows a mismatch', async () => {
    const trx = await ask()
    await step(finance, 'approve', trx)
    const add = (cents: number) =>
      database.asOwner((db) => sql`update balance set cash = cash + ${cents} where user_id = ${user.id}`.execute(db))
    await add(1)
    await checkAndSave(app.ctx, 'whole')
    expect(await outcome(finance, 'pay', trx)).toBe('ledger_unclean')
    await add(-1)
    await checkAndSave(app.ctx, 'whole')
    expect(await outcome(finance, 'pay', trx)).toBe('paying')
  })

  it('cannot start when the method no longer allows the destination, and staff see a warning', async () => {
    const trx = await ask(100, TRC20)
    await step(finance, 'approve', trx)
    const field = {
      name: 'to',
      label: Object.keys(TRON)[0],
      type: 'destination',
      network: 'bitcoin',
      is_required: true,
    }
    const form = JSON.stringify([field])
    await app.ctx.db.updateTable('gateway').set({ form }).where('id', '=', TRC20).execute()
    expect((await lookAt(finance!, trx)).concerns).toContain('destination_invalid')
    expect(await outcome(finance, 'pay', trx)).toBe('destination_invalid')
    expect((await own())?.state).toBe('approved')
  })

  it('can be approved only with a reason when the withdrawal looks like a duplicate', async () => {
    const [first, second] = [await ask(), await ask()]
    expect((await lookAt(finance!, second)).concerns).toContain('same_request')
    expect(await outcome(finance, 'approve', second, { reason: '' })).toBe('reason_needed')
    expect(await outcome(finance, 'approve', second)).toBe('approved')
    expect((await lookAt(finance!, second)).steps.at(-1)).toMatchObject({ step: 'approved', reason: 'looked at' })
    await payInFull(finance!, first)
    await step(finance, 'return', first)
    expect((await lookAt(finance!, second)).concerns).toContain('just_returned')
  })

  it('needs a new approval after the user saves other payment details, unless staff have already started to pay', async () => {
    const save = (bank: string) =>
      app.call(calls.saveWithdrawMethod, {
        token: user.token,
        body: { withdraw_method_id: BANK, withdrawal_information: { ...FIELDS, Bank: bank } },
      })
    await save('First')
    await app.endPauses()
    const [approved, paying] = [await ask(), await ask(200)]
    for (const trx of [approved, paying]) await step(finance, 'approve', trx)
    await step(finance, 'pay', paying)
    await save('Second')
    expect(await lookAt(finance!, approved)).toMatchObject({ state: 'requested', decided_by: null })
    expect(await lookAt(finance!, paying)).toMatchObject({ state: 'paying' })
    expect((await lookAt(finance!, paying)).concerns).toContain('details_stand')
    expect(await outcome(finance, 'paid', paying)).toBe('paid')
  })

  it('cannot be cancelled by its user when the operator has fixed the lock of withdrawals', async () => {
    const trx = await ask()
    const given = { userId: user.id, trx }
    expect(await cancelWithdrawal(app.ctx, { ...given, isLockFixed: true })).toMatchObject({
      refusal: 'withdrawal_locked',
    })
    expect((await own())?.state).toBe('requested')
    expect(await cancelWithdrawal(app.ctx, { ...given, isLockFixed: false })).toMatchObject({ ok: true })
  })

  it('either starts or is cancelled, never both, when staff start it while the user cancels', async () => {
    for (let round = 0; round < 12; round += 1) {
      const trx = await ask(100 + round)
      await step(finance, 'approve', trx)
      const [begun, cancelled] = await Promise.all([outcome(finance, 'pay', trx), cancel(trx)])
      expect(begun === 'paying' ? cancelled : begun).toMatch(/withdrawal_being_paid|not_approved|content_changed/)
      expect([begun, cancelled].filter((one) => one === 'paying' || one === 'cancelled')).toHaveLength(1)
      if (begun === 'paying') expect(await outcome(finance, 'fail', trx)).toBe('failed')
    }
    expect(await money()).toEqual([9_000, 0])
  })

  it('after any calls in any sequence, the history of a withdrawal leads to its state, and the ledger is reconciled', async () => {
    const names = [...(Object.keys(STEPS) as StepName[]), 'cancel'] as const
    const tries = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(2)), { minLength: 8, maxLength: 20 })
    let amount = 100
    await fc.assert(
      fc.asyncProperty(fc.array(tries, { minLength: 2, maxLength: 2 }), async (pairs) => {
        amount += 1
        const trx = await ask(amount)
        const act = ([name, who]: (typeof pairs)[number][number]) =>
          name === 'cancel' ? cancel(trx) : outcome([finance, finance2, owner][who], name, trx)
        const [ones = [], others = []] = pairs
        for (const [at, one] of ones.entries()) await Promise.all([act(one), ...(others[at] ? [act(others[at])] : [])])
        const row = await app.ctx.db
          .selectFrom('withdrawal')
          .selectAll()
          .where('trx', '=', trx)
          .executeTakeFirstOrThrow()
        const events = await app.ctx.db
          .selectFrom('payment_event')
          .select(['step', 'state'])
          .where('subject', '=', row.id)
          .orderBy('seq')
          .execute()
        let state: WithdrawalState | null = null
        for (const event of events) {
          state = stateAfter(event.step as WithdrawalStep, state)
          expect(state).toBe(event.state)
        }
        expect(state).toBe(row.state)
        expect((await checkLedger(app.ctx.db)).clean).toBe(true)
      }),
      { numRuns: 8 },
    )
  })
})

it('stored replies to staff calls are deleted after 90 days', async () => {
  await step(finance, 'approve', await ask())
  const storedReplies = () => app.ctx.db.selectFrom('staff_request').selectAll().execute()
  for (const [days, count] of [
    [89, 1],
    [2, 0],
  ] as const) {
    app.ctx.clock.jump(days * DAY_MS)
    await deleteExpired(app.ctx)
    expect(await storedReplies(), `after ${days} more days`).toHaveLength(count)
  }
})

it('the user gets a notice of each repeated step after a payment was marked as not sent', async () => {
  const trx = await ask()
  for (const name of ['approve', 'pay', 'unsend', 'pay'] as const) await step(finance, name, trx)
  expect((await lookAt(owner!, trx)).state).toBe('paying')
  const notices = await app.ctx.db.selectFrom('notice').select('kind').where('user_id', '=', user.id).execute()
  const of = (kind: string) => notices.filter((notice) => notice.kind === kind).length
  expect([of('withdrawal_approved'), of('withdrawal_paying')]).toEqual([2, 2])
})
