import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS, instant, later, toIso } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { storedRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { expireDeposits } from '#server/payments/deposits/own-deposit.ts'
import { recordArrival } from '#server/payments/deposits/record-arrival.ts'
import { insertPast } from '#server/payments/gateways/past.queries.ts'
import { creditInFull, recordArrived } from '#test/support/arrived-deposit.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 90
const ACTOR = { who: 'finance', what: 'deposits arrived' }

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let finance: StaffSession
let finance2: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  // 100.00 with 1 % and 1.00: 102.00 to pay.
  await app.ctx.db
    .insertInto('gateway')
    .values({
      id: BANK,
      kind: 'deposit',
      name: 'Bank transfer',
      currency: 'USD',
      min_amount: 1_000n,
      max_amount: 10_000_000n,
      fixed_charge: 100n,
      percent_charge_basis_points: 100,
      form: '[]',
      rate_millionths: 1_000_000n,
      quote_seconds: 900,
      sort: 90,
    })
    .execute()
  user = await app.verifiedUser('alice')
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
})
afterEach(() => app.stop())

async function ask(amount = 100): Promise<string> {
  const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: BANK, amount } })
  return body.data.deposit.trx
}
const own = async (trx: string) =>
  (await app.call(calls.deposits, { token: user.token })).body.data.deposits.find((one) => one.trx === trx)
const look = async (trx: string) => (await finance.call(staffCalls.staffDeposit, { params: { trx } })).body.data
const balance = async () => (await app.call(calls.profile, { token: user.token })).body.data.user.balance
const record = (trx: string, amount: string, reference: string, more: { seenAt?: string; reason?: string } = {}) =>
  recordArrived(app, finance, { trx, amount, reference, ...more })
async function approve(trx: string, who = finance): Promise<string> {
  const { body } = await who.call(staffCalls.staffApproveDeposit, {
    params: { trx },
    body: { content_hash: (await look(trx)).content_hash },
  })
  return body.code ?? body.data.outcome
}
/** The sums of the ledger between the house and the user. */
async function houseSums() {
  const rows = await app.ctx.db
    .selectFrom('transfer')
    .select(['kind', (from) => from.fn.sum<bigint>('amount').as('sum')])
    .where('user_id', '=', user.id)
    .groupBy('kind')
    .execute()
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, Number(sum)]))
}
async function changeRate(rate: bigint): Promise<void> {
  await app.ctx.db.transaction().execute(async (tx) => {
    const content = { walletAddress: '', rate: 1_000_000n }
    await insertPast(tx, { id: BANK, version: 1, at: instant(0), content })
    await insertPast(tx, { id: BANK, version: 2, at: app.ctx.now(), content: { ...content, rate } })
    await tx.updateTable('gateway').set({ rate_millionths: rate }).where('id', '=', BANK).execute()
  })
}

describe('F98: arrivals of a deposit', () => {
  it('an arrival is previewed, credited less its charge, and shown to the user', async () => {
    const trx = await ask()
    expect(await approve(trx), 'nothing arrived').toBe('arrival_missing')
    expect(await record(trx, '95.00', 'B-1')).toBeNull()
    // (95.00 - 1.00) / 1.01 is 93.0693.
    const seen = await look(trx)
    expect(seen).toMatchObject({
      state: 'seen',
      preview: { asked: '102.00', arrived: '95.00', credits: 93.06, charges: 1.94, needs_two: false },
    })
    expect(await own(trx)).toMatchObject({ state: 'seen', status: 2, arrived: '95.00' })
    expect(await balance(), 'an arrival credits nothing by itself').toBe(0)
    expect(await approve(trx)).toBe('credited')
    expect(await balance()).toBe(93.06)
    expect(await houseSums()).toEqual({ deposit: 9_306, deposit_fee: 194 })
    expect(await own(trx)).toMatchObject({ state: 'credited', status: 1, credited: 93.06, arrived: '95.00' })
    expect((await own(trx))?.steps.map(({ step }) => step)).toEqual(['requested', 'arrived', 'credited'])
    const { body } = await app.call(calls.notices, { token: user.token })
    expect(body.data.notices[0]?.text).toContain('95.00')
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('a payment in parts, also after the first credit, has the fixed charge once', async () => {
    const trx = await ask()
    await record(trx, '52', 'B-1')
    expect(await approve(trx)).toBe('credited')
    await record(trx, '50', 'B-2')
    expect((await look(trx)).has_due).toBe(true)
    expect(await approve(trx)).toBe('credited')
    expect(await balance()).toBeCloseTo(100, 1)
    expect(await approve(trx)).toBe('already_decided')
    const sums = await houseSums()
    expect((sums['deposit'] ?? 0) + (sums['deposit_fee'] ?? 0), 'all that arrived').toBe(10_200)
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('more than the amount to pay is credited, and less than the charges is kept for review', async () => {
    const more = await ask()
    await record(more, '203', 'B-1')
    expect(await approve(more)).toBe('credited')
    expect(await balance()).toBe(200)
    const less = await ask()
    await record(less, '1', 'B-2')
    expect((await look(less)).state).toBe('review')
    expect(await approve(less)).toBe('nothing_to_credit')
  })

  it.each([
    [{ amount: '0' }, 'amount_invalid'],
    [{ amount: '1.001' }, 'amount_invalid'],
    [{ amount: '1e2' }, 'amount_invalid'],
    [{ reference: ' ' }, 'reference_needed'],
    [{ seenAt: '2099-01-01T00:00:00.000Z' }, 'seen_at_invalid'],
    [{ seenAt: '2000-01-01T00:00:00.000Z' }, 'seen_at_invalid'],
  ])('an arrival with %j is refused with %s', async (change, code) => {
    const trx = await ask()
    expect(await recordArrived(app, finance, { trx, amount: '95', reference: 'B-1', ...change })).toBe(code)
  })

  it('two arrivals at one gateway cannot have the same reference', async () => {
    const [one, other] = [await ask(), await ask(50)]
    expect(await record(one, '95', 'B-1')).toBeNull()
    expect(await record(other, '95', 'B-1')).toBe('reference_used')
  })

  it('a repeated call records an arrival once, and the same id with other content is refused', async () => {
    const trx = await ask()
    const body = {
      content_hash: (await look(trx)).content_hash,
      request_id: randomUUID(),
      amount: '95',
      seen_at: toIso(app.ctx.now()),
      reference: 'B-1',
    }
    const call = (change = {}) =>
      finance.call(staffCalls.staffRecordArrival, { params: { trx }, body: { ...body, ...change } })
    const [first, again] = [await call(), await call()]
    expect(again.body.data.arrival).toBe(first.body.data.arrival)
    expect((await look(trx)).arrivals).toHaveLength(1)
    expect((await call({ amount: '96' })).body.code).toBe('request_conflict')
  })

  it('20 concurrent reports of one payment make one arrival with one credit', async () => {
    const trx = await ask()
    const recording = { trx, amount: '102', seenAt: app.ctx.now(), reference: 'B-1', actor: ACTOR }
    const parts = { ctx: app.ctx, rateAt: storedRateAt }
    const done = await Promise.all(Array.from({ length: 20 }, () => recordArrival(parts, recording)))
    expect(done.filter(({ ok: isOk }) => isOk)).toHaveLength(1)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => creditInFull(app, finance, trx)))
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
    expect(await balance()).toBe(100)
  })

  it('a credit above the limit takes two people', async () => {
    const trx = await ask(1_000)
    await record(trx, '2000', 'B-1')
    expect((await look(trx)).needs_two).toBe(true)
    expect(await approve(trx)).toBe('first-approval')
    expect(await approve(trx, finance2)).toBe('credited')
  })

  it('a new arrival makes an earlier content hash invalid', async () => {
    const trx = await ask()
    await record(trx, '50', 'B-1')
    const { content_hash: hash } = await look(trx)
    await record(trx, '52', 'B-2')
    const { body } = await finance.call(staffCalls.staffApproveDeposit, {
      params: { trx },
      body: { content_hash: hash },
    })
    expect(body.code).toBe('content_changed')
  })
})

describe('F98: a quote', () => {
  it('counts for what was seen by its end, and the rate of the moment counts one millisecond later', async () => {
    const [inside, outside] = [await ask(), await ask(200)]
    const end = Date.parse((await own(inside))?.quoted_until ?? '')
    app.ctx.clock.advance(899_000)
    await changeRate(2_000_000n)
    app.ctx.clock.advance(3_000)
    expect(await record(inside, '102', 'B-1', { seenAt: toIso(instant(end)) }), 'inside a quote that is over').toBe(
      'reason_needed',
    )
    const reason = 'The bank says so'
    expect(await record(inside, '102', 'B-1', { seenAt: toIso(instant(end)), reason })).toBeNull()
    expect((await look(inside)).arrivals[0]).toMatchObject({ rate: 1, credited: 100, takes_two: true })
    expect(await record(outside, '102', 'B-2', { seenAt: toIso(later(instant(end), 1)) })).toBeNull()
    expect((await look(outside)).arrivals[0]).toMatchObject({ rate: 2, takes_two: false })
    expect(await approve(inside)).toBe('first-approval')
    expect(await approve(inside, finance2)).toBe('credited')
  })

  it('can be renewed and closed by its user while nothing was seen', async () => {
    const trx = await ask()
    await changeRate(1_500_000n)
    const { token } = user
    const renewed = await app.call(calls.requoteDeposit, { token, params: { trx } })
    expect(renewed.body.data.deposit).toMatchObject({ rate: 1.5, credited: 150 })
    await record(trx, '102', 'B-1')
    expect((await app.call(calls.requoteDeposit, { token, params: { trx } })).body.code).toBe('payment_seen')
    expect((await app.call(calls.closeDeposit, { token, params: { trx } })).body.code).toBe('payment_seen')
    const other = await ask(50)
    const closed = await app.call(calls.closeDeposit, { token, params: { trx: other } })
    expect(closed.body.data.deposit).toMatchObject({ state: 'expired', status: 3 })
    expect((await app.call(calls.closeDeposit, { token, params: { trx: other } })).body.code).toBe('deposit_decided')
    const bob = await app.verifiedUser('bob')
    const strange = await app.call(calls.closeDeposit, { token: bob.token, params: { trx } })
    expect(strange.body.code).toBe('not_found')
  })
})

describe('F98: a deposit for which nothing arrives', () => {
  it('expires after 7 days, and money that comes later opens it again', async () => {
    const trx = await ask()
    await expireDeposits(app.ctx)
    expect((await look(trx)).state).toBe('waiting')
    app.ctx.clock.advance(7 * DAY_MS + 1)
    await expireDeposits(app.ctx)
    finance = await app.staff('finance')
    expect((await look(trx)).state).toBe('expired')
    expect(await record(trx, '102', 'B-1')).toBeNull()
    expect((await look(trx)).state).toBe('seen')
    expect(await approve(trx)).toBe('credited')
  })
})

describe('F98: unassigned arrivals', () => {
  const arrivals = async (state: 'unassigned' | 'sent_back' = 'unassigned') =>
    (await finance.call(staffCalls.staffArrivals, { query: { state } })).body.data.rows
  async function unassigned(amount = '95'): Promise<string> {
    const trx = await ask()
    await record(trx, amount, `B ${trx}`)
    await finance.call(staffCalls.staffRejectDeposit, {
      params: { trx },
      body: { content_hash: (await look(trx)).content_hash, words: 'Not yours' },
    })
    return (await arrivals())[0]?.id ?? ''
  }
  const bodyOf = async (id: string) => ({
    content_hash: (await finance.call(staffCalls.staffArrival, { params: { id } })).body.data.content_hash,
    request_id: randomUUID(),
  })
  const assign = async (id: string, to: { trx: string } | { username: string }) =>
    (await finance.call(staffCalls.staffAssignArrival, { params: { id }, body: { ...(await bodyOf(id)), ...to } })).body
  const sendBack = async (who: StaffSession, id: string, reference = 'R-1') =>
    (
      await who.call(staffCalls.staffSendArrivalBack, {
        params: { id },
        body: { ...(await bodyOf(id)), reference, reason: 'Unknown sender' },
      })
    ).body

  it('the arrival of a rejected deposit can be assigned to another deposit, once', async () => {
    const id = await unassigned()
    const trx = await ask(200)
    expect((await assign(id, { trx })).data).toEqual({ trx })
    expect((await assign(id, { trx })).code).toBe('arrival_used')
    expect(await approve(trx)).toBe('credited')
    expect(await balance()).toBe(93.06)
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('an arrival can be assigned to a user, for whom a deposit is created', async () => {
    const id = await unassigned()
    const { trx } = (await assign(id, { username: 'alice' })).data
    expect(await look(trx)).toMatchObject({
      state: 'seen',
      preview: { asked: '95.00', arrived: '95.00', credits: 93.06 },
    })
    expect(await approve(trx)).toBe('credited')
    expect(await balance()).toBe(93.06)
  })

  it('an arrival can be recorded as sent back, above the limit by two people', async () => {
    const id = await unassigned()
    expect((await sendBack(finance, id, ' ')).code).toBe('reference_needed')
    expect((await sendBack(finance, id)).data).toEqual({ outcome: 'sent_back' })
    expect((await sendBack(finance, id)).code).toBe('arrival_used')
    const large = await unassigned('5000')
    expect((await sendBack(finance, large)).data).toEqual({ outcome: 'first-approval' })
    expect((await sendBack(finance2, large)).data).toEqual({ outcome: 'sent_back' })
    expect(await arrivals('sent_back')).toHaveLength(2)
    expect(await balance()).toBe(0)
  })
})
