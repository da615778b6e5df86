import { setRights } from '#test/support/set-rights.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { SELF_LIMIT_KEYS, type SelfLimitKey } from '#core/accounts/self-limits.ts'
import { money } from '#core/money/money.ts'
import { LOSE, type OrderResult, VOID, WIN } from '#core/orders/order.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import { addMarks } from '#server/ledger/limit-marks.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { changeLimits } from '#server/users/limits/change-limits.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { meanwhile } from '#test/support/meanwhile.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
// The times of marks come from the clock of the database, so the orders use its time too.
beforeEach(() => {
  ctx = createTestContext(database.db, instant(Date.now()))
})

const ORDER_KEYS = SELF_LIMIT_KEYS.filter((key) => !key.startsWith('deposit'))

const setLimit = async (user: string, key: SelfLimitKey, units: number | null) =>
  expect(await changeLimits(ctx, user, [{ key, value: units === null ? null : money(units) }])).toEqual({
    ok: true,
    value: undefined,
  })
const order = (user: string, units: number, change = {}) => plannedOrder(ctx, user, { stake: money(units), ...change })
const outcomes = async (user: string, stakes: readonly number[]) =>
  (
    await acceptBatch(
      ctx.db,
      stakes.map((units) => order(user, units)),
      100,
    )
  ).map(({ outcome }) => outcome)

/** Runs a statement, and rolls back its changes. */
async function undone<T>(statement: (tx: Db) => Promise<T>): Promise<T> {
  const tx = await ctx.db.startTransaction().execute()
  try {
    return await statement(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/** Ends all open orders of a user, and changes the balance as settlement does. */
async function settleAll(user: string, result: OrderResult, profit = 0) {
  const open = await ctx.db.selectFrom('open_order').selectAll().where('user_id', '=', user).execute()
  for (const { id, stake } of open) {
    const net = result === WIN ? BigInt(profit) : result === LOSE ? -stake : 0n
    await ctx.db.deleteFrom('open_order').where('id', '=', id).execute()
    await ctx.db
      .updateTable('balance')
      .set({
        staked: sql`staked - ${stake}`,
        open_orders: sql`open_orders - 1`,
        cash: sql`cash + ${stake + net}`,
        net_total: sql`net_total + ${net}`,
        stake_total: sql`stake_total + ${result === VOID ? 0n : stake}`,
      })
      .where('user_id', '=', user)
      .execute()
  }
}

describe('the acceptor for a user with own limits', () => {
  it('US1.1: acceptWholeUsers accepts all orders of a user exactly when acceptBatch accepts each of them', async () => {
    const other = await createFundedUser(ctx, money(900_000))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...ORDER_KEYS), fc.integer({ min: 0, max: 200 })), {
          selector: ([key]) => key,
          minLength: 1,
        }),
        fc.array(
          fc.record({ stake: fc.integer({ min: 1, max: 60 }), result: fc.constantFrom(WIN, LOSE, VOID, null) }),
          {
            maxLength: 6,
          },
        ),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
        async (limits, past, stakes) => {
          const user = await createFundedUser(ctx, money(90_000))
          for (const { stake, result } of past) {
            await acceptWholeUsers(ctx.db, [order(user, stake)], 100)
            if (result !== null) await settleAll(user, result, stake)
          }
          for (const [key, units] of limits) await setLimit(user, key, units)
          const balance = () =>
            ctx.db
              .selectFrom('balance')
              .select(['staked', 'open_orders'])
              .where('user_id', '=', user)
              .executeTakeFirst()
          const before = await balance()
          const orders = [...stakes.map((units) => order(user, units)), order(other, 1)]
          const each = await undone((tx) => acceptBatch(tx, orders, 100_000))
          const whole = await acceptWholeUsers(ctx.db, orders, 100_000)
          expect(whole.pop()).not.toBeNull()
          const isAccepted = each.every(({ outcome }) => outcome === 'accepted')
          expect(whole.map((one) => one !== null)).toEqual(stakes.map(() => isAccepted))
          if (!isAccepted) expect(await balance()).toEqual(before)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('US1.1: accepts no more than the limit leaves when one statement has several orders', async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, 'loss_day', 100)
    await setLimit(user, 'stake_max', 60)
    expect(await acceptWholeUsers(ctx.db, [order(user, 60), order(user, 41)], 9)).toEqual([null, null])
    expect(await acceptWholeUsers(ctx.db, [order(user, 61)], 9)).toEqual([null])
    expect(await acceptWholeUsers(ctx.db, [order(user, 60), order(user, 40)], 9)).toEqual([8_940n, 8_900n])
    expect(await acceptWholeUsers(ctx.db, [order(user, 1)], 9)).toEqual([null])
  })

  it.each<[SelfLimitKey, string]>([
    ['loss_day', 'self_loss_limit'],
    ['loss_week', 'self_loss_limit'],
    ['loss_month', 'self_loss_limit'],
    ['staked_day', 'self_staked_limit'],
    ['staked_week', 'self_staked_limit'],
    ['staked_month', 'self_staked_limit'],
  ])('US1.1: counts open orders against %s, in the order of their arrival', async (key, refusal) => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, key, 100)
    const rows = await acceptBatch(
      ctx.db,
      [60, 30, 20, 10].map((units) => order(user, units)),
      100,
    )
    expect(rows.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', refusal, refusal])
    // The third order did not fit, but counted in the running total. The fourth order fits, so it is decided again.
    const room = key.startsWith('loss') ? rows[3]?.own?.loss : rows[3]?.own?.staked
    expect(room).toEqual({ key, left: 10n })
    expect(await outcomes(user, [10, 1])).toEqual(['accepted', refusal])
  })

  it('US1.3: lets wins offset losses up to the limit, and ignores void orders', async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, 'loss_day', 100)
    await setLimit(user, 'staked_day', 250)
    expect(await outcomes(user, [60])).toEqual(['accepted'])
    await settleAll(user, LOSE)
    expect(await outcomes(user, [41])).toEqual(['self_loss_limit'])
    expect(await outcomes(user, [40])).toEqual(['accepted'])
    await settleAll(user, WIN, 400)
    // The user is ahead in total, but the open stakes may still not exceed the limit.
    expect(await outcomes(user, [101])).toEqual(['self_loss_limit'])
    expect(await outcomes(user, [90])).toEqual(['accepted'])
    await settleAll(user, VOID)
    expect(await outcomes(user, [100])).toEqual(['accepted'])
    await settleAll(user, WIN, 1)
    expect(await outcomes(user, [51])).toEqual(['self_staked_limit'])
    expect(await outcomes(user, [50])).toEqual(['accepted'])
  })

  it('US1.3: names the window with the smallest amount left, and stops counting orders that have left the window', async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, 'loss_day', 100)
    await setLimit(user, 'loss_week', 150)
    expect(await outcomes(user, [100])).toEqual(['accepted'])
    await settleAll(user, LOSE)
    await addMarks(ctx.db)
    const [today] = await acceptBatch(ctx.db, [order(user, 1)], 9)
    expect(today).toMatchObject({ outcome: 'self_loss_limit', own: { loss: { key: 'loss_day', left: 0n } } })
    ctx.clock.jump(DAY_MS + 60_000)
    const [tomorrow] = await acceptBatch(ctx.db, [order(user, 51)], 9)
    expect(tomorrow).toMatchObject({ outcome: 'self_loss_limit', own: { loss: { key: 'loss_week', left: 50n } } })
    expect(await outcomes(user, [50])).toEqual(['accepted'])
  })

  it('US1.3: refuses orders when there is no mark at the beginning of a window', async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, 'loss_day', 100)
    await ctx.db.deleteFrom('limit_mark').execute()
    expect(await acceptWholeUsers(ctx.db, [order(user, 1)], 9)).toEqual([null])
    expect(await outcomes(user, [1])).toEqual(['no_mark'])
  })

  it('US1.7: enforces a limit below the amount already used, and keeps open orders', async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await acceptWholeUsers(ctx.db, [order(user, 500)], 9)
    await setLimit(user, 'loss_day', 100)
    const [row] = await acceptBatch(ctx.db, [order(user, 1)], 9)
    expect(row).toMatchObject({ outcome: 'self_loss_limit', own: { loss: { left: -400n } } })
    expect(await ctx.db.selectFrom('open_order').select('stake').execute()).toEqual([{ stake: 500n }])
  })

  it("US1.7: keeps the user's own limit when a staff member sets a higher limit", async () => {
    const user = await createFundedUser(ctx, money(9_000))
    await setLimit(user, 'stake_max', 50)
    await setRights(ctx, ctx.db, user, { maxStake: 5_000n })
    expect(await outcomes(user, [51, 50])).toEqual(['self_stake_max', 'accepted'])
  })
})

describe.runIf(process.env['TEST_DATABASE_URL'])(
  'an order that waits for the row while its user changes a rule',
  () => {
    const inOtherTx = (tx: Db): TestContext => ({ ...ctx, db: tx })

    it.each<[SelfLimitKey, number, string]>([
      ['stake_max', 99, 'self_stake_max'],
      ['loss_day', 99, 'self_loss_limit'],
      ['staked_month', 99, 'self_staked_limit'],
    ])('US1.2: is refused by a new %s', async (key, units, refusal) => {
      const user = await createFundedUser(ctx, money(900))
      await setLimit(user, 'loss_week', 1_000)
      const [row] = await meanwhile(
        ctx.db,
        (tx) =>
          inOtherTx(tx)
            .db.insertInto('self_limit_change')
            .values({ user_id: user, id: ctx.newId(), key, to_amount: units })
            .execute(),
        // The first statement waits and leaves the order to the second statement, which then decides it.
        async () => {
          expect(await acceptWholeUsers(ctx.db, [order(user, 100)], 9)).toEqual([null])
          return acceptBatch(ctx.db, [order(user, 100)], 9)
        },
      )
      expect(row).toMatchObject({ outcome: refusal })
      expect(await ctx.db.selectFrom('open_order').selectAll().execute()).toEqual([])
    })

    it.each<['time_out' | 'exclusion', number]>([
      ['time_out', 1],
      ['exclusion', 6],
    ])('US1.2: is refused by a new %s', async (kind, length) => {
      const user = await createFundedUser(ctx, money(900))
      const take = (tx: Db) =>
        tx.insertInto('self_break').values({ user_id: user, id: ctx.newId(), kind, length }).execute()
      const whole = await meanwhile(ctx.db, take, () => acceptWholeUsers(ctx.db, [order(user, 100)], 9))
      expect(whole).toEqual([null])
      const [row] = await acceptBatch(ctx.db, [order(user, 100)], 9)
      expect(row).toMatchObject({ outcome: 'on_break' })
    })
  },
)

describe('orders during a break', () => {
  it('US1.6: are refused from the start of the break until its end, by their opening time', async () => {
    const user = await createFundedUser(ctx, money(900))
    await acceptWholeUsers(ctx.db, [order(user, 100)], 9)
    await ctx.db
      .insertInto('self_break')
      .values({ user_id: user, id: ctx.newId(), kind: 'time_out', length: 1 })
      .execute()
    const whole = () => acceptWholeUsers(ctx.db, [order(user, 1)], 9)
    expect([await outcomes(user, [1]), await whole()]).toEqual([['on_break'], [null]])
    ctx.clock.jump(DAY_MS - 60_000)
    expect([await outcomes(user, [1]), await whole()]).toEqual([['on_break'], [null]])
    ctx.clock.jump(120_000)
    expect([await outcomes(user, [1]), await whole()]).toEqual([['accepted'], [798n]])
  })
})
