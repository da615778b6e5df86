import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { placeFor } from '#test/support/practice.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const PIN = '042713'
const [DEMO_FUNDS, TRC20] = [1, 102]
const TRON = { 'Wallet address (TRC-20)': 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' }

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterEach(() => app.stop())

it('F5: staff find the payments and orders of a user whose name looks like the start of a reference', async () => {
  const anna = await app.verifiedUser('fw-anna')
  await app.call(calls.saveDeposit, { token: anna.token, body: { amount: 500, method_id: DEMO_FUNDS } })
  await app.setPin(anna.token, PIN, { 102: TRON })
  const withdrawal = { amount: 100, method_id: TRC20, withdrawal_code: PIN, fields: TRON }
  expect((await app.call(calls.saveWithdrawal, { token: anna.token, body: withdrawal })).status).toBe(200)
  const time = app.ctx.now()
  app.feed.tick(1, 9_400_000, time)
  app.ctx.clock.advance(100)
  await expect.poll(() => app.ticks.latest(1)?.time).toBe(time)
  expect((await placeFor(app, anna.id)).ok).toBe(true)
  const owner = await app.staff('owner')
  const query = { search: 'FW-Anna' }
  const names = async (
    call: typeof staffCalls.staffDeposits | typeof staffCalls.staffWithdrawals | typeof staffCalls.staffOrders,
  ) => (await owner.call(call, { query })).body.data.rows.map(({ username }) => username)
  expect(await names(staffCalls.staffDeposits)).toEqual(['fw-anna'])
  expect(await names(staffCalls.staffWithdrawals)).toEqual(['fw-anna'])
  expect(await names(staffCalls.staffOrders)).toEqual(['fw-anna'])
  const [deposit] = (await owner.call(staffCalls.staffDeposits, { query })).body.data.rows
  const byReference = await owner.call(staffCalls.staffDeposits, { query: { search: deposit?.trx.slice(0, 14) ?? '' } })
  expect(byReference.body.data.rows).toHaveLength(1)
})
