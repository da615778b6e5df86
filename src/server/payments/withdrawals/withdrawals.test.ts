import { approvalLimits } from '#server/settings/approval-limits.ts'
import { describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { auditEntries } from '#server/audit/audit.queries.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import { markPaid, startPaying } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { openDetails, withdrawalPlace } from '#server/platform/encryption/sealed-details.ts'
import { payInFull } from '#test/support/pay-withdrawal.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

const DEMO_FUNDS = 1
const BANK = 101
const TRC20 = 102
const EUROS = 103
const PIN = '042713'
const BANK_DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }

let app: TestApp
let token: string
const { database, share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    ;({ token } = await app.verifiedUser('alice'))
    await app.call(calls.saveDeposit, { token, body: { amount: 1_000, method_id: DEMO_FUNDS } })
    await app.setPin(token, PIN, { 101: BANK_DETAILS })
  },
  end: async () => {
    // After every test the ledger must reconcile.
    assert((await checkLedger(app.ctx.db)).clean, 'the ledger must reconcile')
    await app.stop()
  },
})

interface Ask {
  amount?: number | string
  method_id?: number | string
  fields?: Record<string, string | number | null>
  withdrawal_code?: string
  client_request_id?: string
}
const ask = (body: Ask = {}) =>
  app.call(calls.saveWithdrawal, {
    token,
    body: { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: BANK_DETAILS, ...body },
  })
const saveDetails = async (withdraw_method_id: number, withdrawal_information: Record<string, string>) => {
  const saved = await app.call(calls.saveWithdrawMethod, {
    token,
    body: { withdraw_method_id, withdrawal_information },
  })
  await app.endPauses()
  return saved
}
const money = async (of = token) => {
  const { balance, withdrawing } = (await app.call(calls.profile, { token: of })).body.data.user
  return { balance, withdrawing }
}
const list = (query?: Record<string, string | number>, of = token) =>
  app.call(calls.withdrawals, { token: of, ...(query && { query }) })
const cancel = (trx: string, of = token) => app.call(calls.cancelWithdrawal, { token: of, params: { trx } })
const detailsOf = (row: { user_id: string; id: string; details: unknown }) =>
  openDetails(app.ctx.vault, row.details, withdrawalPlace(row.user_id, row.id))
const actor = { who: 'operator', what: 'test' }
/** Approves a withdrawal, starts the payment and records it as paid. */
async function approve(trx: string) {
  const limits = approvalLimits(app.settings, 'demo')
  const approved = await approveWithdrawal(app.ctx, { trx, reason: 'looked at', actor, limits })
  if (!approved.ok) return approved
  await startPaying(app.ctx, { trx, actor })
  return markPaid(app.ctx, { trx, reference: `of ${trx}`, actor })
}
const reject = (trx: string, words: string) =>
  rejectWithdrawal(app.ctx, { trx, words, reasonCode: 'provider_refused', actor, mode: 'demo' })
const house = async (account: string) => (await checkLedger(app.ctx.db)).house.get(account) ?? 0n

describe('requesting a withdrawal', () => {
  it('holds the amount at once, and later changes do not affect its quote and details', async () => {
    await saveDetails(BANK, BANK_DETAILS)
    const { status, body } = await ask({ fields: {} })
    expect([status, body.message]).toEqual([200, 'Your withdrawal is waiting for approval'])
    expect(body.data.withdrawal).toEqual({
      trx: expect.stringMatching(/^FW(-[0-9A-Z]{5}){3}$/),
      status: 2,
      state: 'requested',
      steps: [{ step: 'requested', at: '2026-03-18T15:00:00.000Z' }],
      reference: null,
      can_cancel: true,
      created_at: '2026-03-18T15:00:00.000Z',
      method: 'Bank transfer',
      method_image: expect.any(String),
      currency: 'USD',
      amount: 100,
      percent_charge: 0.5,
      fixed_charge: 5,
      charge: 5.5,
      rate: 1,
      paid_out: 94.5,
      admin_feedback: '',
      is_cancelled: false,
      reason_code: null,
      due_at: '2026-03-21T15:00:00.000Z',
    })
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
    expect(app.ctx.announced.at(-1)).toMatchObject({ kind: 'balance-changed' })
    expect((await list()).body.data.withdrawals).toEqual([body.data.withdrawal])

    // Changes of the saved details or of the charge apply only to withdrawals requested afterwards.
    await saveDetails(BANK, { ...BANK_DETAILS, Bank: 'Second' })
    await app.ctx.db.updateTable('gateway').set({ fixed_charge: 900n }).where('id', '=', BANK).execute()
    const row = await app.ctx.db.selectFrom('withdrawal').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ fixed_charge: 500n, paid_out: 9_450n })
    expect(detailsOf(row)).toEqual(BANK_DETAILS)
  })

  it('pays out at the rate of the method', async () => {
    const fields = { 'Account email': 'alice@example.com', 'Name on the account': 'Alice' }
    await saveDetails(EUROS, fields)
    const { body } = await ask({
      method_id: EUROS,
      amount: '110.50',
      fields,
    })
    expect(body.data.withdrawal).toMatchObject({ currency: 'EUR', charge: 2.51, rate: 1.08, paid_out: 99.99 })
  })

  it('AC5: other details in a request are saved with the pause of a change, and fields that the form lacks are dropped', async () => {
    const request = { fields: { Bank: ' Other bank ', Memo: 'x', 'Account holder': '' } }
    expect((await ask(request)).body.code).toBe('withdrawals_paused')
    expect(await money()).toEqual({ balance: 1_000, withdrawing: 0 })
    const notices = await app.ctx.db.selectFrom('notice').select(['kind', 'data']).orderBy('seq', 'desc').execute()
    expect(notices[0]).toMatchObject({ kind: 'security_changed', data: { what: 'payment_details' } })
    await app.endPauses()
    expect((await ask(request)).status, 'after the pause').toBe(200)
    const row = await app.ctx.db.selectFrom('withdrawal').selectAll().executeTakeFirstOrThrow()
    expect(detailsOf(row)).toEqual({ ...BANK_DETAILS, Bank: 'Other bank' })
  })

  it('AC5: a destination that is neither saved nor paid before needs a confirmation', async () => {
    app.ctx.clock.advance(11 * MINUTE_MS)
    const stolen = { fields: { 'Account number or IBAN': 'DE00 9999' } }
    expect((await ask(stolen)).body.code).toBe('confirmation_needed')
    await app.confirm(token)
    expect((await ask({ ...stolen, withdrawal_code: '999999' })).body.code, 'before anything is saved').toBe(
      'pin_wrong',
    )
    expect((await ask({ fields: {} })).status, 'no pause yet').toBe(200)
    expect((await ask(stolen)).body.code).toBe('withdrawals_paused')
  })

  it('AC5: a destination that was paid before needs no confirmation and causes no pause', async () => {
    const { trx } = (await ask()).body.data.withdrawal
    expect(await payInFull(await app.staff('finance'), trx)).toBe('paid')
    await saveDetails(BANK, { ...BANK_DETAILS, Bank: 'Second' })
    app.ctx.clock.advance(11 * MINUTE_MS)
    expect((await ask({ fields: BANK_DETAILS })).status).toBe(200)
  })

  it('AT8: accepts exactly one of fifty concurrent requests for the whole balance', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask({ amount: 1_000 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'insufficient_balance')).toHaveLength(49)
    expect(await money()).toEqual({ balance: 0, withdrawing: 1_000 })
  })

  it('accepts as many concurrent requests as the balance covers', async () => {
    const replies = await Promise.all(Array.from({ length: 15 }, () => ask({ amount: 100 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(await money()).toEqual({ balance: 0, withdrawing: 1_000 })
  })

  it('answers a repeated request with the first withdrawal, even when repeats are concurrent', async () => {
    const same = { client_request_id: 'form-1' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(same)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.data.withdrawal.trx}`)).size).toBe(1)
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })

    const other = await ask({ ...same, amount: 101 })
    expect([other.status, other.body.code]).toEqual([409, 'withdrawal_conflict'])
    expect((await ask({ client_request_id: 'form-2' })).status).toBe(200)
    const bob = await app.verifiedUser('bob')
    expect((await list({}, bob.token)).body.data.withdrawals).toEqual([])
  })

  it.each<[string, Ask]>([
    ['where to', { fields: { ...BANK_DETAILS, 'Account number or IBAN': 'DE00 9999' } }],
    ['fewer details', { fields: {} }],
    ['more details', { fields: { ...BANK_DETAILS, Note: 'for my brother' } }],
    ['another method', { method_id: EUROS, fields: { 'Account email': 'alice@example.com' } }],
  ])('A19: refuses a repeated request id with %s', async (_what, other) => {
    await saveDetails(BANK, BANK_DETAILS)
    const first = await ask({ client_request_id: 'form-1' })
    const again = await ask({ client_request_id: 'form-1', ...other })
    expect([again.status, again.body.code]).toEqual([409, 'withdrawal_conflict'])
    const [listed, ...more] = (await list()).body.data.withdrawals
    expect([listed, more]).toEqual([first.body.data.withdrawal, []])
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
  })

  it('A19: answers a repeated request with its withdrawal after details, names or keys changed', async () => {
    await saveDetails(BANK, BANK_DETAILS)
    await saveDetails(BANK, { ...BANK_DETAILS, Bank: 'Second' })
    const first = await ask({ client_request_id: 'form-1', fields: { Bank: 'Second' } })
    await saveDetails(BANK, { ...BANK_DETAILS, 'Account number or IBAN': 'DE00 9999' })
    app.ctx.vault.useKeys([new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)])
    const again = await ask({ client_request_id: 'form-1', fields: { Bank: ' Second ', Note: null } })
    expect([again.status, again.body.data]).toMatchObject([
      200,
      { withdrawal: { trx: first.body.data.withdrawal.trx } },
    ])
  })

  describe('with wrong input', () => {
    share()

    it.each([
      [{ amount: 49.99 }, 'below_minimum', 'amount', 'Minimum Amount is 50.00 USDT'],
      [{ amount: 25_000.01 }, 'above_maximum', 'amount', 'Maximum Amount is 25000.00 USDT'],
      [{ amount: 1_000.01 }, 'insufficient_balance', 'amount', 'Insufficient Balance'],
      [{ amount: 100.001 }, 'amount_invalid', 'amount', null],
      [{ amount: -100 }, 'amount_invalid', 'amount', null],
      [{ amount: '1e2' }, 'amount_invalid', 'amount', null],
      [{ amount: '' }, 'bad_request', 'amount', 'Amount is Required'],
      [{ method_id: 99 }, 'gateway_unknown', 'method_id', null],
      [{ method_id: DEMO_FUNDS }, 'gateway_unknown', 'method_id', null],
      [{ method_id: 'x' }, 'bad_request', 'method_id', 'Gateway is not valid'],
      [{ method_id: EUROS, fields: {} }, 'field_required', 'fields[Account email]', 'Account email is Required'],
      [{ method_id: EUROS, fields: { 'Account email': 'no' } }, 'field_invalid', 'fields[Account email]', null],
      [{ withdrawal_code: '' }, 'pin_format', 'withdrawal_code', 'PIN must be 6 digits and numbers only'],
      [{ withdrawal_code: '12345' }, 'pin_format', 'withdrawal_code', null],
      [{ withdrawal_code: '12345a' }, 'pin_format', 'withdrawal_code', null],
      [{ withdrawal_code: '000000' }, 'pin_wrong', 'withdrawal_code', null],
      [{ client_request_id: '' }, 'bad_request', 'client_request_id', null],
    ])('VA16: refuses %j with %s', async (body, code, field, text) => {
      const reply = await ask(body)
      expect([reply.status, reply.body.code]).toEqual([422, code])
      expect(reply.body.errors?.[field]).toHaveLength(1)
      if (text !== null) expect(reply.body.message).toBe(text)
      expect(await money()).toEqual({ balance: 1_000, withdrawing: 0 })
      expect((await list()).body.data.withdrawals).toEqual([])
    })
  })

  it('requires a PIN', async () => {
    await app.ctx.db.updateTable('app_user').set({ pin_hash: null }).execute()
    expect((await ask()).body.code).toBe('pin_missing')
  })

  it('VA16: cannot spend held money', async () => {
    await ask({ amount: 950 })
    expect((await ask({ amount: 51 })).body.code).toBe('insufficient_balance')
  })

  it("a withdrawal is refused with the operator's reason while withdrawals are closed, but a repeated request gets its reply", async () => {
    await ask({ client_request_id: 'before' })
    const { db } = app.ctx
    await db.updateTable('setting').set({ value: 'false' }).where('key', '=', 'withdrawals_open').execute()
    await db.updateTable('setting').set({ value: '"Back at 18:00."' }).where('key', '=', 'withdraw_reason').execute()
    const now = app.ctx.now()
    const closure = { at_ms: now, from_ms: now, until_ms: now + HOUR_MS, reason: 'Back at 18:00.' }
    await db.insertInto('withdrawal_closure').values(closure).execute()
    await app.stop()
    app = await createTestApp(database)
    const { body } = await ask()
    expect([body.code, body.message]).toEqual([
      'withdrawals_closed',
      'Withdrawals are closed at the moment. Back at 18:00.',
    ])
    expect((await app.call(calls.withdrawMethods, { token })).body.data).toMatchObject({
      withdraw_status: 0,
      withdraw_reason: 'Back at 18:00. Withdrawals open again by 2026-03-18 16:00 UTC at the latest.',
    })
    expect((await ask({ client_request_id: 'before' })).status).toBe(200)
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
  })
})

describe('deciding', () => {
  const pending = async (amount = 100) => (await ask({ amount })).body.data.withdrawal.trx

  it('pays out once and posts the fees', async () => {
    const trx = await pending()
    const done = await approve(trx)
    expect(done).toMatchObject({ ok: true, value: { status: 1, paidOut: 9_450n } })
    expect(await money()).toEqual({ balance: 900, withdrawing: 0 })
    expect([await house('house:withdrawals'), await house('house:fees')]).toEqual([9_450n, 550n])
    expect(app.ctx.announced.at(-1)).toMatchObject({ kind: 'balance-changed' })
    expect((await list()).body.data.withdrawals[0]).toMatchObject({ status: 1, admin_feedback: '' })

    expect(await approve(trx)).toMatchObject({ refusal: 'withdrawal_decided' })
    expect(await reject(trx, 'No')).toMatchObject({ refusal: 'withdrawal_decided' })
    expect((await cancel(trx)).body.code).toBe('withdrawal_decided')
    expect(await money()).toEqual({ balance: 900, withdrawing: 0 })
  })

  it('returns the whole amount with a message when rejected', async () => {
    const trx = await pending()
    expect(await reject(trx, '  ')).toMatchObject({ refusal: 'words_missing' })
    expect(await reject(trx, ' The IBAN is not yours. ')).toMatchObject({ ok: true })
    expect(await money()).toEqual({ balance: 1_000, withdrawing: 0 })
    const [listed] = (await list()).body.data.withdrawals
    expect(listed).toMatchObject({ status: 3, admin_feedback: 'The IBAN is not yours.', is_cancelled: false })
    expect(await approve(trx)).toMatchObject({ refusal: 'withdrawal_decided' })
  })

  it('lets the user cancel a pending withdrawal once, which returns the money', async () => {
    const trx = await pending()
    const { status, body } = await cancel(trx)
    expect([status, body.data.withdrawal]).toMatchObject([
      200,
      { trx, status: 3, admin_feedback: 'You cancelled this withdrawal', is_cancelled: true },
    ])
    expect(await money()).toEqual({ balance: 1_000, withdrawing: 0 })
    expect((await cancel(trx)).body.code).toBe('withdrawal_decided')
    expect(await approve(trx)).toMatchObject({ refusal: 'withdrawal_decided' })
  })

  it('accepts one of many concurrent decisions', async () => {
    const trx = await pending()
    const done = await Promise.all([
      ...Array.from({ length: 5 }, () => approve(trx)),
      ...Array.from({ length: 5 }, () => reject(trx, 'No')),
      ...Array.from({ length: 5 }, async () => ({ ok: (await cancel(trx)).status === 200 })),
    ])
    expect(done.filter(({ ok }) => ok)).toHaveLength(1)
    expect((await money()).withdrawing).toBe(0)
  })

  it('refuses unknown references and cancellation by other users', async () => {
    const trx = await pending()
    const bob = await app.verifiedUser('bob')
    expect((await cancel(trx, bob.token)).status).toBe(404)
    expect((await cancel('FW-0000-0000-0000')).status).toBe(404)
    expect(await approve("' or 1=1")).toMatchObject({ refusal: 'withdrawal_unknown' })
    expect((await list(undefined, bob.token)).body.data.withdrawals).toEqual([])
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
  })
})

describe('the operator CLI', () => {
  const run = (...args: string[]) => runCommand({ ...app, dataDir: '/nowhere' }, args, 'operator')
  const actions = () => auditEntries(app.ctx.db).orderBy('a.id').execute()

  it('lists pending withdrawals with their destination, and approves them', async () => {
    const { trx } = (await ask()).body.data.withdrawal
    expect((await run('withdrawals', 'list', '--pending')).lines.join('\n')).toMatch(
      new RegExp(`${trx} +requested +alice +Bank transfer +100.00 +94.50 USD`),
    )
    expect((await run('withdrawals', 'show', trx)).lines.join('\n')).toMatch(/Pay to[^]*IBAN +DE00 1234/)
    const { exitCode, lines } = await run('withdrawals', 'approve', trx.toLowerCase())
    expect([exitCode, lines]).toEqual([0, [`${trx} is approved: 94.50 USD may be paid to alice.`]])
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
    expect((await run('withdrawals', 'pay', trx)).lines).toEqual([`${trx} is being paid: 94.50 USD, alice.`])
    expect((await run('withdrawals', 'paid', trx, '--reference', 'B-7')).lines).toEqual([
      `${trx} is paid: 94.50 USD, alice.`,
    ])
    expect(await money()).toEqual({ balance: 900, withdrawing: 0 })
    expect((await run('withdrawals', 'list', '--pending')).lines).toEqual(['No pending withdrawals.'])
    expect(await run('withdrawals', 'approve', trx)).toMatchObject({ exitCode: 1 })
    expect((await actions()).filter(({ what }) => what === 'withdrawals approve')).toMatchObject([
      { who: 'operator', target: trx, outcome: 'done', before: { state: 'requested' }, after: { state: 'approved' } },
      { outcome: 'refused' },
    ])
  })

  it('rejects only with a message', async () => {
    const { trx } = (await ask()).body.data.withdrawal
    expect((await run('withdrawals', 'reject', trx)).exitCode).not.toBe(0)
    expect(await money()).toEqual({ balance: 900, withdrawing: 100 })
    const { lines } = await run('withdrawals', 'reject', trx, '--words', 'Wrong name', '--reason', 'details_wrong')
    expect(lines).toEqual([`${trx} is rejected: 100.00 USDT returned. alice sees: Wrong name`])
    expect(await money()).toEqual({ balance: 1_000, withdrawing: 0 })
    expect((await run('withdrawals', 'show', trx)).lines.join('\n')).toMatch(/State +rejected[^]*Wrong name/)
  })

  it('turns withdrawals off and on in the running server', async () => {
    await run('settings', 'set', 'withdraw_reason', '"Our bank is being changed today."')
    expect((await run('settings', 'set', 'withdrawals_open', 'false')).exitCode, 'without an end').not.toBe(0)
    await run('settings', 'set', 'withdrawals_closed_until', '"2026-03-18T18:00:00Z"')
    await run('settings', 'set', 'withdrawals_open', 'false')
    expect((await ask()).body.message).toBe('Withdrawals are closed at the moment. Our bank is being changed today.')
    await run('settings', 'set', 'withdrawals_open', 'true')
    expect((await ask()).status).toBe(200)
  })
})

describe('the list', () => {
  it('CA30: returns pages of the requested size', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      app.ctx.clock.advance(1_000)
      await ask({ amount: 50 + turn })
    }
    const first = await list({ page: 1, per_page: 10 })
    expect(first.body.meta).toEqual({ page: 1, per_page: 10, total: 12, pages: 2 })
    expect(first.body.data.withdrawals.map(({ amount }) => amount)).toEqual([61, 60, 59, 58, 57, 56, 55, 54, 53, 52])
    const second = await list({ page: 2, per_page: 10 })
    expect(second.body.data.withdrawals.map(({ amount }) => amount)).toEqual([51, 50])
    expect((await list()).body.meta).toBeUndefined()
    expect((await list({ page: 0 })).body.code).toBe('bad_request')
  })
})

const WALLET = 'Wallet address (TRC-20)'
const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

describe('methods', () => {
  it('F7: store the address of a user without invisible characters', async () => {
    await saveDetails(TRC20, { [WALLET]: ` ${ADDRESS.slice(0, 5)}\u200B${ADDRESS.slice(5)}\u202E`, Memo: '\u3164' })
    const { body } = await app.call(calls.withdrawMethod, { token, params: { id: '102' } })
    expect(body.data.withdrawal_information.map(({ value }) => value)).toEqual([ADDRESS, ''])
  })

  it("CA25: include the user's saved details", async () => {
    await saveDetails(TRC20, { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })
    const { body } = await app.call(calls.withdrawMethods, { token })
    expect(body.data.methods.map(({ id, hasMethod }) => [id, hasMethod])).toEqual([
      [BANK, true],
      [TRC20, true],
      [EUROS, false],
    ])
    expect(body.data).toMatchObject({ withdraw_status: 1, withdraw_reason: '' })
    const saved: unknown = JSON.parse(body.data.methods[1]?.user_withdrawal_details?.withdrawal_information ?? '')
    expect(saved).toEqual([
      {
        name: 'wallet_address',
        label: 'Wallet address (TRC-20)',
        type: 'destination',
        network: 'tron',
        is_required: true,
        value: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      },
      { name: 'memo', label: 'Memo', type: 'text', is_required: false, value: '' },
    ])
    expect(body.data.methods[2]?.user_withdrawal_details).toBeNull()
  })

  it("CA27: return the form with the user's own values", async () => {
    await saveDetails(TRC20, { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', Other: 'dropped' })
    const one = (id: string, of = token) => app.call(calls.withdrawMethod, { token: of, params: { id } })
    const { body } = await one('102')
    expect(body.data.withdrawal_information.map(({ label, value }) => [label, value])).toEqual([
      ['Wallet address (TRC-20)', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
      ['Memo', ''],
    ])
    const bob = await app.verifiedUser('bob')
    expect((await one('102', bob.token)).body.data.method.hasMethod).toBe(false)
    expect((await one('99')).status).toBe(404)
    expect((await one('1')).status).toBe(404)
    expect((await one('x')).body.code).toBe('bad_request')
  })

  it('require new details when the saved ones lack a required field of the changed form', async () => {
    await saveDetails(TRC20, { 'Wallet address (TRC-20)': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })
    const form = JSON.stringify([{ name: 'network', label: 'Network', type: 'text', is_required: true }])
    await app.ctx.db.updateTable('gateway').set({ form }).where('id', '=', TRC20).execute()
    const { body } = await app.call(calls.withdrawMethods, { token })
    expect(body.data.methods[1]?.hasMethod).toBe(false)
    expect((await ask({ method_id: TRC20, fields: {} })).body.errors).toHaveProperty('fields[Network]')
  })

  describe('with wrong input', () => {
    share()

    it.each([
      [TRC20, {}, 'field_required', 'withdrawal_information[Wallet address (TRC-20)]'],
      [TRC20, { 'Wallet address (TRC-20)': '  ' }, 'field_required', 'withdrawal_information[Wallet address (TRC-20)]'],
      [EUROS, { 'Account email': 'a@b', 'Name on the account': 'A' }, 'field_invalid', null],
      [DEMO_FUNDS, { x: 'y' }, 'gateway_unknown', 'withdraw_method_id'],
      [TRC20, { [WALLET]: '\u200B' }, 'field_required', `withdrawal_information[${WALLET}]`],
      [TRC20, { [WALLET]: 'hello' }, 'destination_form', `withdrawal_information[${WALLET}]`],
      [TRC20, { [WALLET]: `${ADDRESS.slice(0, -1)}T` }, 'destination_checksum', `withdrawal_information[${WALLET}]`],
      [
        TRC20,
        { [WALLET]: '0x52908400098527886E0F7030069857D2E4169EE7' },
        'destination_network',
        `withdrawal_information[${WALLET}]`,
      ],
      [TRC20, { [WALLET]: ADDRESS, Memo: ADDRESS }, 'field_repeated', 'withdrawal_information[Memo]'],
      [TRC20, { 'Wallet address (TRC-20)': 'x'.repeat(501) }, 'bad_request', 'withdrawal_information'],
    ])('F8: refuse details of %i: %j with %s', async (id, details, code, field) => {
      const saved = () => app.ctx.db.selectFrom('user_withdrawal_method').selectAll().execute()
      const before = await saved()
      const reply = await saveDetails(id, details)
      expect([reply.status, reply.body.code]).toEqual([422, code])
      if (field !== null) expect(reply.body.errors?.[field]).toHaveLength(1)
      expect(await saved()).toEqual(before)
    })
  })

  it('methods that are no longer offered accept neither requests nor details', async () => {
    await app.ctx.db.updateTable('gateway').set({ is_offered: false }).where('id', '=', BANK).execute()
    expect((await ask()).body.code).toBe('gateway_unknown')
    expect((await saveDetails(BANK, BANK_DETAILS)).body.code).toBe('gateway_unknown')
  })
})

it('the calls for withdrawals require a logged-in, verified user', async () => {
  expect((await app.call(calls.withdrawals)).status).toBe(401)
  const carol = await app.signUp('carol')
  expect((await app.call(calls.withdrawMethods, { token: carol.token })).body.code).toBe('not_verified')
})

it('saved payment details and deposits of one user at the same time never block each other', async () => {
  const deposit = { token, body: { amount: 100, method_id: DEMO_FUNDS } }
  for (const round of Array.from({ length: 8 }, (_, place) => place)) {
    const replies = await Promise.all(
      [1, 2, 3, 4].flatMap((place) => [
        app.call(calls.saveWithdrawMethod, {
          token,
          body: {
            withdraw_method_id: BANK,
            withdrawal_information: { ...BANK_DETAILS, Bank: `Bank ${round} ${place}` },
          },
        }),
        app.call(calls.saveDeposit, deposit),
      ]),
    )
    expect(replies.map(({ body }) => body.code)).toEqual(replies.map(() => undefined))
  }
})
