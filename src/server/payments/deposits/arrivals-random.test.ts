import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { type ArrivedAmount, arrivedText, worthOf } from '#core/wallet/arrival-credit.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import { storedRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { closeDeposit, requoteDeposit } from '#server/payments/deposits/own-deposit.ts'
import { recordArrival } from '#server/payments/deposits/record-arrival.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 90
const LIMITS = { mode: 'demo', twoPeopleAbove: money(10_000_000_000), onePersonDaily: money(10_000_000_000) } as const
const ACTOR = { who: 'operator', what: 'deposits' }
const RUNS = { numRuns: 12 }

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
beforeAll(async () => {
  app = await createTestApp(database)
  const terms = { min_amount: 100n, max_amount: 10_000_000n, fixed_charge: 150n, percent_charge_basis_points: 125 }
  await app.ctx.db
    .insertInto('gateway')
    .values({
      ...terms,
      id: BANK,
      kind: 'deposit',
      name: 'Bank',
      currency: 'KWD',
      form: '[]',
      rate_millionths: 3_257_011n,
      sort: 90,
    })
    .execute()
})
afterAll(() => app.stop())

const anyStep = fc.record({
  what: fc.constantFrom('arrive', 'arrive', 'arrive', 'approve', 'approve', 'reject', 'close', 'requote'),
  deposit: fc.nat(1),
  /** In thousandths, the smallest unit of the currency. */
  amount: fc.integer({ min: 1, max: 300_000 }),
  reference: fc.nat(5),
})

test('F98: whatever staff and user do at once, each arrival is credited once, and the ledger has its whole worth', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 }),
      async (rounds) => {
        round += 1
        const user = await app.verifiedUser(`random${round}`)
        const trxs: string[] = []
        for (const amount of [100, 25.5]) {
          const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: BANK, amount } })
          trxs.push(body.data.deposit.trx)
        }
        for (const steps of rounds) {
          await Promise.all(
            steps.map(async ({ what, deposit, amount, reference }) => {
              const trx = trxs[deposit] ?? ''
              const own = { userId: user.id, trx }
              if (what === 'approve') return approveDeposit(app.ctx, { trx, actor: ACTOR, limits: LIMITS })
              if (what === 'reject') return rejectDeposit(app.ctx, { trx, words: 'No', actor: ACTOR })
              if (what === 'close') return closeDeposit(app.ctx, own)
              if (what === 'requote') return requoteDeposit({ ctx: app.ctx, rateOf: ({ rate }) => rate }, own)
              const typed = arrivedText(BigInt(amount) * 100_000n, 'KWD')
              const arrived = {
                trx,
                amount: typed,
                seenAt: app.ctx.now(),
                reference: `${round} ${reference}`,
                actor: ACTOR,
              }
              return recordArrival({ ctx: app.ctx, rateAt: storedRateAt }, arrived)
            }),
          )
          app.ctx.clock.advance(1)
        }
        await checkUser(user.id)
      },
    ),
    RUNS,
  )
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

async function checkUser(userId: string): Promise<void> {
  const { db } = app.ctx
  const credited = await db
    .selectFrom('arrival')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'credited')
    .execute()
  const moves = await db.selectFrom('transfer').selectAll().where('user_id', '=', userId).execute()
  const sumOf = (kind: string) => moves.reduce((sum, move) => (move.kind === kind ? sum + move.amount : sum), 0n)
  const worth = credited.reduce(
    (sum, one) => sum + worthOf(BigInt(one.amount) as ArrivedAmount, one.rate_millionths ?? 0n),
    0n,
  )
  expect(sumOf('deposit') + sumOf('deposit_fee'), 'the ledger has the worth of every credited arrival').toBe(worth)
  const deposits = await db.selectFrom('deposit').selectAll().where('user_id', '=', userId).execute()
  for (const deposit of deposits) {
    const own = credited.filter((one) => one.deposit_id === deposit.id)
    const sum = own.reduce((total, one) => total + (one.credited ?? 0n), 0n)
    expect(deposit.state === 'credited').toBe(own.length > 0)
    if (own.length > 0) expect(deposit.credited).toBe(sum)
    const events = await db
      .selectFrom('payment_event')
      .selectAll()
      .where('subject', '=', deposit.id)
      .orderBy('seq')
      .execute()
    expect(events.at(-1)?.state, 'the last step has the state of the deposit').toBe(deposit.state)
  }
  const { cash } = await db.selectFrom('balance').select('cash').where('user_id', '=', userId).executeTakeFirstOrThrow()
  expect(cash).toBe(sumOf('deposit'))
}
