import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { listReady } from '#server/payments/payment-files/payment-files.queries.ts'
import { stepBody } from '#test/support/pay-withdrawal.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/** A small file, so that the test needs few withdrawals. */
const maxLines = 2
const PIN = '042713'
const [DEMO_FUNDS, TRC20] = [1, 102]
const TRON = { 'Wallet address (TRC-20)': 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' }

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

it('F14: withdrawals that cannot be paid do not keep the others out of a payment file', async () => {
  const alice = await app.verifiedUser('alice')
  const finance = await app.staff('finance')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 5_000, method_id: DEMO_FUNDS } })
  await app.setPin(alice.token, PIN, { 102: TRON })
  const trxs: string[] = []
  for (const amount of [101, 102, 103, 104, 105, 106]) {
    const form = { amount, method_id: TRC20, withdrawal_code: PIN, fields: TRON }
    const { trx } = (await app.call(calls.saveWithdrawal, { token: alice.token, body: form })).body.data.withdrawal
    const body = { ...(await stepBody(finance, trx)), reason: 'looked at' }
    await finance.call(staffCalls.staffApproveWithdrawal, { params: { trx }, body })
    trxs.push(trx)
    app.ctx.clock.advance(1_000)
  }
  const { currency } = await app.ctx.db.selectFrom('withdrawal').select('currency').limit(1).executeTakeFirstOrThrow()
  const listed = async (isPayable: (trx: string) => boolean) => {
    const method = {
      methodId: TRC20,
      currency,
      maxLines,
      isPayable: ({ trx }: { readonly trx: string }) => isPayable(trx),
    }
    return (await listReady(app.ctx.db, app.ctx.vault, method)).map(({ trx }) => trx)
  }
  const [first, second, third, fourth, fifth] = trxs
  expect(await listed((trx) => trx === fifth), 'two that cannot be paid are shown, and the one that can').toEqual([
    first,
    second,
    fifth,
  ])
  expect(await listed(() => true), 'as many as one file can have').toEqual([first, second])
  expect(await listed((trx) => trx !== first && trx !== third)).toEqual([first, second, third, fourth])
  expect(await listed(() => false)).toEqual([first, second])
})
