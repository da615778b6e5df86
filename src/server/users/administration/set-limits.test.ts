import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { setRights } from '#test/support/set-rights.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let finance: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  finance = await app.staff('finance')
  const time = app.ctx.now()
  app.feed.tick(1, 9_000_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => assert(app.ticks.latest(1)?.time === time, 'there is a price'))
})
afterEach(async () => {
  assert((await checkLedger(app.ctx.db)).clean, 'the ledger adds up')
  await app.stop()
})

const OFF = { max_stake: null, max_open_stake: null, withdrawals: true, withdrawals_reason: '', reason: 'careful' }
async function limit(change: Partial<Record<keyof typeof OFF, unknown>>, version = 1) {
  const body = { ...OFF, version, ...change } as typeof OFF & { version: number }
  return (await finance.call(staffCalls.staffSetLimits, { params: { id: alice.id }, body })).body
}

let orders = 0
async function place(stake: number, user = alice) {
  orders += 1
  const placed = await app.engine.place({
    userId: user.id,
    clientOrderId: `order-${orders}`,
    direction: 1,
    tradeSettingId: 1,
    stake: money(stake * 100),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  if (placed.ok) return 'taken'
  const { value, reason } = placed.params ?? {}
  return value === undefined ? placed.refusal : `${placed.refusal} ${value}: ${reason}`
}

it("refuses a stake above the user's own maximum, and does not limit other users", async () => {
  const bob = await app.verifiedUser('bob')
  await app.call(calls.saveDeposit, { token: bob.token, body: { amount: 1_000, method_id: 1 } })
  await limit({ max_stake: 50 })
  expect(await place(50.01)).toBe('staff_limit 50.00: careful')
  expect(await place(50)).toBe('taken')
  expect(await place(100, bob)).toBe('taken')
  await limit({ max_stake: null }, 2)
  expect(await place(100)).toBe('taken')
})

it("refuses an order that exceeds the user's limit on open stakes", async () => {
  await limit({ max_open_stake: 100 })
  expect(await place(60)).toBe('taken')
  expect(await place(60)).toBe('staff_open_limit 100.00: careful')
  expect(await place(40)).toBe('taken')
  expect(await place(20)).toBe('staff_open_limit 100.00: careful')
})

it('names the limit of staff as the reason even when the limit is below the smallest possible stake', async () => {
  // Such a limit exists when the smallest stake was raised after staff set it. No call can set it now.
  await setRights(app.ctx, app.ctx.db, alice.id, { maxStake: 50n })
  expect(await place(10)).toBe('staff_limit 0.50: a limit')
})

it('the limit on open stakes holds under concurrent orders, and counts only accepted orders', async () => {
  await limit({ max_open_stake: 100 })
  const outcomes = await Promise.all([70, 70, 20, 70, 10].map((stake) => place(stake)))
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(3)
  expect((await app.call(calls.profile, { token: alice.token })).body.data.user.balance).toBe(900)
})

it('a new limit does not change open orders', async () => {
  expect(await place(80)).toBe('taken')
  await limit({ max_stake: 20, max_open_stake: 20 })
  const [order] = await app.ctx.db.selectFrom('open_order').select(['stake', 'profit_basis_points']).execute()
  expect(order).toMatchObject({ stake: 8_000n })
  expect(await place(20)).toBe('staff_open_limit 20.00: careful')
})

it('blocks withdrawals with a reason for the user, before the PIN is checked', async () => {
  await limit({ withdrawals: false, withdrawals_reason: 'We need your papers.' })
  const methods = (await app.call(calls.withdrawMethods, { token: alice.token })).body.data
  expect(methods).toMatchObject({ withdraw_status: 0, withdraw_reason: 'We need your papers.' })
  const body = { method_id: 101, amount: 50, withdrawal_code: '000000', fields: {} }
  const { body: refused } = await app.call(calls.saveWithdrawal, { token: alice.token, body })
  expect(refused).toMatchObject({ code: 'withdrawals_closed' })
  expect(refused.message).toContain('We need your papers.')
  await limit({}, 2)
  expect((await app.call(calls.withdrawMethods, { token: alice.token })).body.data.withdraw_status).toBe(1)
})

it('F72: refuses a maximum below every possible stake, and names the smallest stake', async () => {
  const refused = await limit({ max_stake: 0.01 })
  expect(refused.errors?.['max_stake']?.[0]).toMatch(/^The smallest order is \$10\.00\./)
})

it.each([
  [{ max_stake: 0 }, 'amount_not_positive'],
  [{ max_stake: -5 }, 'amount_not_positive'],
  [{ max_open_stake: 1.005 }, 'amount_invalid'],
  [{ withdrawals: false }, 'words_needed'],
  [{ max_stake: 0.01 }, 'limit_is_ban'],
  [{ max_open_stake: 9.99 }, 'limit_is_ban'],
  [{ max_stake: 50, reason: '...' }, 'words_needed'],
  [{ withdrawals: false, withdrawals_reason: '- -' }, 'words_needed'],
  [{ reason: ' ' }, 'reason_needed'],
])('refuses %j', async (change, code) => {
  const refused = await limit(change)
  expect(refused.code ?? Object.keys(refused.errors ?? {})[0]).toBe(code)
  const { body } = await finance.call(staffCalls.staffUser, { params: { id: alice.id } })
  expect(body.data).toMatchObject({ version: 1, limits: { max_stake: null, withdrawals: true } })
})

it('names the staff member who saved first and the fields that differ', async () => {
  await limit({ max_stake: 50 })
  const stale = await limit({ max_open_stake: 10 })
  expect(stale.code).toBe('changed_meanwhile')
  expect(stale.message).toMatch(/^You changed this yourself .*\(Maximum per order\)/)
})
