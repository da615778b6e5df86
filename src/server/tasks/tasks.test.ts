import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/check-ledger.ts'
import { payTasks } from '#server/tasks/pay-tasks.ts'
import { watchTasks } from '#server/tasks/watch-tasks.ts'
import { openTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createTestApp, type TestApp, type TestUser } from '#testing/test-app.ts'

const DEMO_FUNDS = 1

let database: TestDatabase
let app: TestApp
let alice: TestUser
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.truncateAll()
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const ask = async (token = alice.token) => (await app.call(calls.tasks, { token })).body.data
const deposit = () => app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: DEMO_FUNDS } })
const paidKeys = async () => (await ask()).tasks.filter(({ paid_at }) => paid_at !== null).map(({ key }) => key)
const bonuses = () =>
  app.ctx.db.selectFrom('transfer').select(['step', 'amount']).where('from_account', '=', 'house:bonus').execute()

let orders = 0
async function settledOrder(settledAt: Instant): Promise<void> {
  orders += 1
  const id = `0195a000-0000-7000-9000-${orders.toString(16).padStart(12, '0')}`
  await app.ctx.db
    .insertInto('order_history')
    .values({
      user_id: alice.id,
      id,
      client_order_id: id,
      trx: id,
      symbol_id: 1,
      trade_setting_id: 1,
      seconds: 60,
      direction: 1,
      stake: 1n,
      profit_basis_points: 1,
      rule_version: 1,
      entry_seq: 1n,
      entry_price: 1n,
      entry_time_ms: 1n,
      entry_source: 'test',
      opened_ms: settledAt - 60_000,
      expires_ms: settledAt,
      result: 3,
      result_amount: 0n,
      balance_after: 0n,
      settled_ms: settledAt,
      exit_seq: null,
      exit_price: null,
      exit_time_ms: null,
      void_reason: 'test',
    })
    .execute()
}

it('pays what is done on asking, once, through the ledger', async () => {
  const first = await ask()
  expect(first).toMatchObject({ earned: 666, total: 6666, points: 666 })
  expect(first.tasks[0]).toMatchObject({
    key: 'verify',
    title: 'Verify your account',
    amount: 666,
    progress: 1,
    goal: 1,
  })
  expect(app.ctx.announced.at(-1)).toEqual({ kind: 'balance-changed', userId: alice.id })
  await deposit()
  expect(await ask()).toMatchObject({ earned: 2166, points: 2166 })
  expect(await ask()).toMatchObject({ earned: 2166, points: 2166 })
  expect(await bonuses()).toHaveLength(2)
  expect((await app.call(calls.profile, { token: alice.token })).body.data.user.points).toBe(2166)
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

it('pays each task once when many ask at the same moment', async () => {
  await deposit()
  await Promise.all(Array.from({ length: 10 }, () => ask()))
  expect((await bonuses()).map(({ step }) => step).toSorted()).toEqual(['task:deposit', 'task:verify'])
  expect((await ask()).points).toBe(2166)
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

it('counts days, not orders, and never takes back what was paid', async () => {
  const start = app.ctx.now()
  await settledOrder(start)
  await settledOrder(start)
  expect((await ask()).tasks.slice(-2)).toMatchObject([
    { key: 'trade', progress: 1, goal: 1 },
    { key: 'days', progress: 1, goal: 3, paid_at: null },
  ])
  await settledOrder(later(start, DAY_MS))
  expect(await paidKeys()).toEqual(['verify', 'trade'])
  await settledOrder(later(start, 30 * DAY_MS))
  await settledOrder(later(start, 31 * DAY_MS))
  expect(await paidKeys()).toEqual(['verify', 'trade', 'days'])

  await app.ctx.db
    .updateTable('app_user')
    .set({ firstname: 'Ada', lastname: 'L', pin_hash: 'x' })
    .where('id', '=', alice.id)
    .execute()
  await deposit()
  expect(await ask()).toMatchObject({ earned: 6666, points: 6666 })
  await app.ctx.db.updateTable('app_user').set({ lastname: '', verified: true }).where('id', '=', alice.id).execute()
  expect(await ask()).toMatchObject({ earned: 6666, points: 6666 })
})

it('pays soon after a deposit without being asked', async () => {
  const stop = watchTasks(app.ctx)
  await deposit()
  app.ctx.clock.advance(1_000)
  await expect.poll(bonuses).toHaveLength(2)
  await stop()
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

it('looks at settled orders once a day per user', async () => {
  const stop = watchTasks(app.ctx)
  const settled = () => app.ctx.announce({ kind: 'order-settled', order: anOrder(alice.id) })
  settled()
  app.ctx.clock.advance(1_000)
  await expect.poll(bonuses).toHaveLength(1) // Verified, which nobody had asked about.
  await settledOrder(app.ctx.now())
  settled()
  app.ctx.clock.advance(1_000)
  expect(await bonuses()).toHaveLength(1)
  app.ctx.clock.advance(DAY_MS)
  settled()
  app.ctx.clock.advance(1_000)
  await expect.poll(bonuses).toHaveLength(2)
  await stop()
})

it('gives bots nothing, strangers nothing, and an unverified user no more than is done', async () => {
  await app.ctx.db.updateTable('app_user').set({ is_bot: true }).where('id', '=', alice.id).execute()
  expect(await payTasks(app.ctx, alice.id)).toBeNull()
  expect(await bonuses()).toEqual([])
  expect((await app.call(calls.tasks)).status).toBe(401)
  const bob = await app.signUp('bob')
  expect(await ask(bob.token)).toMatchObject({ earned: 0, points: 0 })
})

function anOrder(userId: string): Extract<TestApp['ctx']['announced'][number], { kind: 'order-settled' }>['order'] {
  const nothing = 0n as never
  return {
    userId,
    orderId: 'o',
    trx: 't',
    clientOrderId: 'c',
    symbolId: 1,
    direction: 1,
    stake: nothing,
    entryPrice: nothing,
    exitPrice: null,
    result: 3,
    resultAmount: nothing,
    balanceAfter: nothing,
    voidReason: null,
  }
}
