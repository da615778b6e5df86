import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { readEntry } from '#core/register/entry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import { newestEntry } from '#server/register/register.queries.ts'
import { closeRegister } from '#test/support/close-register.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_PASSWORD } from '#test/support/test-users.ts'
import { payInFull, stepBody } from '#test/support/pay-withdrawal.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const PIN = '042713'
const BANK = 101
const fields = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  await app.setPin(user.token, PIN, { 101: fields })
})
afterEach(() => app.stop())

async function ask(): Promise<string> {
  const body = { amount: 100, method_id: BANK, withdrawal_code: PIN, fields }
  return (await app.call(calls.saveWithdrawal, { token: user.token, body })).body.data.withdrawal.trx
}
async function decide(
  trx: string,
  decision: 'approve' | 'reject',
  code: RejectionCode = 'details_wrong',
): Promise<void> {
  if (decision === 'approve') {
    assert((await payInFull(owner, trx)) === 'paid', 'it is paid')
    return
  }
  const words = { ...(await stepBody(owner, trx)), words: 'Not today.', reason_code: code }
  const { body } = await owner.call(staffCalls.staffRejectWithdrawal, { params: { trx }, body: words })
  assert(body.code === undefined, `decided, not ${String(body.code)}`)
}
async function passTime(ms: number): Promise<void> {
  app.ctx.clock.advance(ms)
  owner = await app.staff('owner')
  user = await app.signIn('alice', TEST_PASSWORD)
}
const levels = async () => (await app.call(calls.proofServiceLevels)).body.data

describe('GET /proof/service-levels', () => {
  it('counts times, rejections, cancellations and pending requests, without automatic credits', async () => {
    const none = { done: 0, median_ms: null, p90_ms: null, rejected: 0, rejected_by: {}, cancelled: 0 }
    expect((await levels()).deposits.windows[0], 'the deposit was credited at once').toEqual({ days: 7, ...none })
    const first = await ask()
    const second = await ask()
    await app.call(calls.cancelWithdrawal, { token: user.token, params: { trx: await ask() } })
    await passTime(HOUR_MS)
    await decide(first, 'approve')
    await passTime(HOUR_MS)
    await decide(second, 'reject')
    await ask()
    await passTime(2 * DAY_MS)
    const { windows, waiting } = (await levels()).withdrawals
    expect(windows.map(({ days }) => days)).toEqual([7, 30, 90])
    expect(windows[0]).toEqual({
      days: 7,
      done: 1,
      median_ms: HOUR_MS,
      p90_ms: HOUR_MS,
      rejected: 1,
      rejected_by: { details_wrong: 1 },
      cancelled: 1,
    })
    const late = { count: 1, sum: 100 }
    expect(waiting).toEqual({
      count: 1,
      oldest_ms: 2 * DAY_MS,
      over_24h: late,
      over_72h: { count: 0, sum: 0 },
      over_7d: { count: 0, sum: 0 },
    })
  })

  it('adds the wait of a rejected request to the wait of the request that follows it', async () => {
    const trx = await ask()
    await passTime(HOUR_MS)
    await decide(trx, 'reject', 'provider_refused')
    const again = await ask()
    await passTime(HOUR_MS)
    await decide(again, 'approve')
    expect((await levels()).withdrawals.windows[0]).toMatchObject({
      done: 1,
      median_ms: 2 * HOUR_MS,
      p90_ms: 2 * HOUR_MS,
    })
  })

  it('adds the figures to the register once a day', async () => {
    await closeRegister(app)
    expect(await newestEntry(app.ctx.db, 'money')).toBeNull()
    await ask()
    await passTime(DAY_MS)
    await closeRegister(app)
    const entry = await newestEntry(app.ctx.db, 'money')
    assert(entry, 'an entry of money')
    expect(readEntry(entry.text)).toMatchObject({ kind: 'money', withdrawals: { waiting: { count: 1 } } })
    app.ctx.clock.advance(MINUTE_MS)
    await closeRegister(app)
    expect((await newestEntry(app.ctx.db, 'money'))?.index, 'once').toBe(entry.index)
  })
})
