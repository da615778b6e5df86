import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { changeSetting } from '#server/settings/change-setting.ts'
import { payTasks } from '#server/payments/rewards/pay-tasks.ts'
import { watchTasks } from '#server/payments/rewards/watch-tasks.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const DEMO_FUNDS = 1
const OPERATOR = { who: 'operator', what: 'settings set' }

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  orders = 0
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const ask = async (token = alice.token) => (await app.call(calls.tasks, { token })).body.data
const deposit = () => app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: DEMO_FUNDS } })
const paidKeys = async () => (await ask()).tasks.filter(({ paid_at }) => paid_at !== null).map(({ key }) => key)
const bonuses = () =>
  app.ctx.db
    .selectFrom('transfer')
    .select(['user_id', 'step', 'amount'])
    .where('from_account', '=', 'house:bonus')
    .orderBy('created_ms')
    .execute()
const steps = async (userId = alice.id) =>
  (await bonuses()).filter((bonus) => bonus.user_id === userId).map(({ step }) => step)

const checked = async (trx: string, token = alice.token) =>
  (await app.call(calls.taskChecked, { token, body: { trx } })).body

let orders = 0
const trxOf = (number: number) => `0195a000-0000-7000-9000-${number.toString(16).padStart(12, '0')}`
async function settledOrder(settledAt: Instant, userId = alice.id): Promise<string> {
  orders += 1
  const id = trxOf(orders)
  await app.ctx.db
    .insertInto('order_history')
    .values(historyRow({ user_id: userId, id, settled_ms: settledAt, void_reason: 'test' }))
    .execute()
  // A void order has two transfers: its stake is taken and returned.
  const own = { user_id: userId, ref: id, currency: BASE_CURRENCY, amount: 1n, created_ms: settledAt }
  await app.ctx.db
    .insertInto('transfer')
    .values([
      { ...own, step: 'stake', kind: 'order_stake', from_account: 'cash', to_account: 'staked' },
      { ...own, step: 'close', kind: 'order_void', from_account: 'staked', to_account: 'cash' },
    ])
    .execute()
  return id
}

it('pays completed tasks on request, once, through the ledger', async () => {
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

it('PR1, AT10: pays each task once under many concurrent requests', async () => {
  await deposit()
  await Promise.all(Array.from({ length: 10 }, () => ask()))
  expect((await bonuses()).map(({ step }) => step).toSorted()).toEqual(['task:deposit', 'task:verify'])
  expect((await ask()).points).toBe(2166)
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

it('counts days with orders instead of orders, and a paid reward stays when the user undoes the task', async () => {
  const start = app.ctx.now()
  await settledOrder(start)
  await settledOrder(start)
  expect((await ask()).tasks.slice(-3)).toMatchObject([
    { key: 'trade', progress: 1, goal: 1 },
    { key: 'check', progress: 0, goal: 1, paid_at: null },
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
  expect((await checked(trxOf(1))).data).toEqual({ paid: 500, points: 6666 })
  expect(await ask()).toMatchObject({ earned: 6666, points: 6666 })
  await app.ctx.db.updateTable('app_user').set({ lastname: '', verified: true }).where('id', '=', alice.id).execute()
  expect(await ask()).toMatchObject({ earned: 6666, points: 6666 })
})

it('pays soon after a deposit, even if the user does not open the list of tasks', async () => {
  const stop = watchTasks(app.ctx, app.settings)
  await deposit()
  app.ctx.clock.advance(1_000)
  await expect.poll(bonuses).toHaveLength(2)
  await stop()
  expect((await checkLedger(app.ctx.db)).clean).toBe(true)
})

it('checks the tasks of a user at most once a day because of settled orders', async () => {
  await ask()
  const stop = watchTasks(app.ctx, app.settings)
  const settled = () => app.ctx.publish({ kind: 'order-settled', order: anOrder(alice.id) })
  settled()
  await allLookedAt()
  await settledOrder(app.ctx.now())
  settled()
  await allLookedAt()
  expect(await steps()).toEqual(['task:verify'])
  app.ctx.clock.advance(DAY_MS)
  settled()
  await allLookedAt()
  expect(await steps()).toEqual(['task:verify', 'task:trade'])
  await stop()
})

/**
 * Waits until the job has processed all users so far. It processes them in sequence, so a new user who is paid is the
 * last.
 */
async function allLookedAt(): Promise<void> {
  const last = await app.verifiedUser()
  app.ctx.publish({ kind: 'order-settled', order: anOrder(last.id) })
  await expect
    .poll(() => {
      app.ctx.clock.advance(100)
      return steps(last.id)
    })
    .toEqual(['task:verify'])
}

it('PR1: pays bots nothing, refuses visitors, and pays unverified users only for completed tasks', async () => {
  await database.asOwner((owner) =>
    owner.updateTable('app_user').set({ is_bot: true }).where('id', '=', alice.id).execute(),
  )
  expect(await payTasks(app.ctx, app.settings, alice.id)).toBeNull()
  expect(await bonuses()).toEqual([])
  expect((await app.call(calls.tasks)).status).toBe(401)
  const bob = await app.signUp('bob')
  expect(await ask(bob.token)).toMatchObject({ earned: 0, points: 0 })
})

describe('checking a result', () => {
  it('PR4: pays once for a settled order of the user, and returns the amount', async () => {
    await ask()
    const trx = await settledOrder(app.ctx.now())
    const other = await settledOrder(app.ctx.now())
    expect((await checked(trx)).data).toEqual({ paid: 500, points: 2666 }) // 666 + 1,500 + 500: the call also pays the task of the first order.
    expect((await checked(trx)).data).toEqual({ paid: 0, points: 2666 })
    expect((await checked(other)).data).toEqual({ paid: 0, points: 2666 })
    const rows = await app.ctx.db.selectFrom('first_check').selectAll().execute()
    expect(rows).toMatchObject([{ user_id: alice.id, order_id: trx }])
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('PR4: pays nothing for an unknown order or an order of another user', async () => {
    const bob = await app.verifiedUser('bob')
    const trx = await settledOrder(app.ctx.now(), bob.id)
    for (const wrong of [trx, 'TNOBODY', trxOf(99)]) {
      expect((await checked(wrong)).code).toBe('receipt_unknown')
    }
    expect((await app.call(calls.taskChecked, { body: { trx } })).status).toBe(401)
    expect(await app.ctx.db.selectFrom('first_check').selectAll().execute()).toEqual([])
    expect(await bonuses()).toEqual([])
  })

  it('PR4: pays once under many concurrent calls on two servers', async () => {
    await ask()
    const trxs = [await settledOrder(app.ctx.now()), await settledOrder(app.ctx.now())]
    const second = await createTestApp(database)
    try {
      const said = await Promise.all(
        Array.from({ length: 16 }, (_, at) =>
          (at % 2 === 0 ? app : second).call(calls.taskChecked, {
            token: alice.token,
            body: { trx: trxs[at % 3 === 0 ? 0 : 1] ?? '' },
          }),
        ),
      )
      const paid = said.map(({ body }) => body.data.paid)
      expect(paid.reduce((sum, amount) => sum + amount, 0)).toBe(500)
    } finally {
      await second.stop()
    }
    expect((await bonuses()).map(({ step }) => step).toSorted()).toEqual(['task:check', 'task:trade', 'task:verify'])
    expect((await app.ctx.db.selectFrom('first_check').selectAll().execute()).length).toBe(1)
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })
})

describe('amounts set by the operator', () => {
  const set = async (amounts: Readonly<Record<string, string>>) => {
    for (const [key, value] of Object.entries(amounts)) {
      const done = await changeSetting(app.ctx, app.settings, { key, value, actor: OPERATOR })
      if (!done.ok) return done.refusal
    }
    return 'ok'
  }
  const promised = async () => (await app.call(calls.homeContent)).body.data.figures

  it('PR2: make up the promised total, and apply only to later payments', async () => {
    expect(await promised()).toMatchObject({ bonus: 6666, tasks: 7 })
    expect(await ask()).toMatchObject({ earned: 666, total: 6666 })
    expect(await set({ bonus_verify: '1000', bonus_deposit: '10.50', bonus_pin: '0' })).toBe('ok')
    expect(await promised()).toMatchObject({ bonus: 5010.5, tasks: 6 })
    // The reward that Alice got before is neither raised nor paid again.
    const mine = await ask()
    expect(mine).toMatchObject({ earned: 666, total: 4676.5, points: 666 })
    expect(mine.tasks.map(({ key }) => key)).toEqual(['verify', 'profile', 'deposit', 'trade', 'check', 'days'])
    await deposit()
    expect(await ask()).toMatchObject({ earned: 676.5, points: 676.5 })
    const bob = await app.verifiedUser('bob')
    expect(await ask(bob.token)).toMatchObject({ earned: 1000, total: 5010.5, points: 1000 })
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('PR2: hide a task with amount zero from users who were not paid for it, and pay them when the amount is positive again', async () => {
    await set({ bonus_verify: '0' })
    expect(await ask()).toMatchObject({ earned: 0, total: 6000 })
    expect(await bonuses()).toEqual([])
    await set({ bonus_verify: '5' })
    expect(await ask()).toMatchObject({ earned: 5, total: 6005, points: 5 })
    await set({ bonus_verify: '0' })
    expect(await ask()).toMatchObject({ earned: 5, total: 6005, points: 5 })
    expect((await ask()).tasks[0]).toMatchObject({ key: 'verify', amount: 5, progress: 1 })
  })

  it('PR2: of zero for all tasks make the site promise no bonus and list no tasks', async () => {
    const keys = ['verify', 'profile', 'pin', 'deposit', 'trade', 'check', 'days']
    await set(Object.fromEntries(keys.map((key) => [`bonus_${key}`, '0'])))
    expect(await promised()).toMatchObject({ bonus: 0, tasks: 0 })
    expect(await ask()).toMatchObject({ tasks: [], earned: 0, total: 0 })
  })

  it.each(['-1', '1.005', 'many', '', '100000.01', '1e3'])('cannot be %j', async (value) => {
    expect(await set({ bonus_days: value })).toBe('setting_invalid')
    expect(await promised()).toMatchObject({ bonus: 6666 })
  })
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
    resultNumber: null,
  }
}
