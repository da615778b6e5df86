import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { type Rights, setRights } from '#test/support/set-rights.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(() => {
  ctx = createTestContext(database.db)
})

const MAX_OPEN_ORDERS = 3
const order = (userId: string, units = 100, change = {}) =>
  plannedOrder(ctx, userId, { stake: money(units), ...change })
const setUser = async (id: string, { verified, ...rights }: Rights & { readonly verified?: boolean }) => {
  if (verified !== undefined) await ctx.db.updateTable('app_user').set({ verified }).where('id', '=', id).execute()
  await setRights(ctx, ctx.db, id, rights)
}

describe('accepting all orders of users whose limits cover them', () => {
  it('accepts each order and returns the cash after it', async () => {
    const [one, two] = [await createFundedUser(ctx, money(1_000)), await createFundedUser(ctx, money(250))]
    const orders = [order(one, 100), order(two, 250), order(one, 300), order(one, 600)]
    expect(await acceptWholeUsers(ctx.db, orders, MAX_OPEN_ORDERS)).toEqual([900n, 0n, 600n, 0n])
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: 4 })
  })

  it('accepts the same order once when it is sent ten times in parallel', async () => {
    const user = await createFundedUser(ctx, money(100))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        acceptWholeUsers(database.db, [order(user)], MAX_OPEN_ORDERS).then(([answer]) => answer),
      ),
    )
    expect(answers.filter((answer) => answer !== null)).toEqual([0n])
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: 1 })
  })
})

describe("accepting none of a user's orders", () => {
  it.each<[string, (user: string) => Promise<unknown>, number[]]>([
    ['when the stakes exceed the cash by one unit', async () => {}, [500, 401]],
    ['when there is one order more than the open-order limit', async () => {}, [1, 1, 1, 1]],
    [
      'when earlier open orders leave too little room',
      (user) => acceptWholeUsers(ctx.db, [order(user, 1)], MAX_OPEN_ORDERS),
      [1, 1, 1],
    ],
    ['when the user is not verified', (user) => setUser(user, { verified: false }), [1]],
    ['when the user may not trade', (user) => setUser(user, { tradeOff: 'a pause' }), [1]],
    ['when one stake exceeds the limit of the user', (user) => setUser(user, { maxStake: 50n }), [1, 51]],
    ['when the stakes together exceed the limit of the user', (user) => setUser(user, { maxOpenStake: 50n }), [25, 26]],
  ])('%s, accepts the orders of other users only', async (_why, prepare, stakes) => {
    const [user, other] = [await createFundedUser(ctx, money(900)), await createFundedUser(ctx, money(900))]
    await prepare(user)
    const before = await ctx.db.selectFrom('balance').selectAll().where('user_id', '=', user).execute()
    const orders = [...stakes.map((units) => order(user, units)), order(other, 900)]
    expect(await acceptWholeUsers(ctx.db, orders, MAX_OPEN_ORDERS)).toEqual([...stakes.map(() => null), 0n])
    expect(await ctx.db.selectFrom('balance').selectAll().where('user_id', '=', user).execute()).toEqual(before)
  })

  it('accepts no order when one of the orders was placed before', async () => {
    const user = await createFundedUser(ctx, money(900))
    const first = order(user)
    await acceptWholeUsers(ctx.db, [first], MAX_OPEN_ORDERS)
    const again = order(user, 100, { clientOrderId: first.clientOrderId })
    expect(await acceptWholeUsers(ctx.db, [order(user), again], MAX_OPEN_ORDERS)).toEqual([null, null])
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: 1 })
  })

  it('accepts no order of an unknown user', async () => {
    expect(await acceptWholeUsers(ctx.db, [order(ctx.newId())], MAX_OPEN_ORDERS)).toEqual([null])
  })

  it('accepts all orders when they reach each limit exactly', async () => {
    const user = await createFundedUser(ctx, money(900))
    await setUser(user, { maxStake: 50n, maxOpenStake: 75n })
    expect(await acceptWholeUsers(ctx.db, [order(user, 50), order(user, 25)], 2)).toEqual([850n, 825n])
  })
})

const amount = fc.integer({ min: 1, max: 400 }).map((units) => BigInt(units))
const account = fc.record({
  cash: fc.integer({ min: 0, max: 1_000 }),
  verified: fc.boolean(),
  tradeOff: fc.option(fc.constant('a pause')),
  maxStake: fc.option(amount),
  maxOpenStake: fc.option(amount),
})
const generatedOrder = fc.record({ user: fc.nat(2), client: fc.nat(9), stake: amount })

describe('accepting whole users first, then deciding the rest', () => {
  it('accepts the same orders as the statement that decides each order alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(account, { minLength: 3, maxLength: 3 }),
        fc.array(
          fc.uniqueArray(generatedOrder, {
            selector: (one) => `${one.user} ${one.client}`,
            minLength: 1,
            maxLength: 6,
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        async (accounts, batches) => {
          const town = async () => {
            const users: string[] = []
            for (const { cash, ...change } of accounts) {
              const user = await createFundedUser(ctx, money(cash))
              await setUser(user, change)
              users.push(user)
            }
            return users
          }
          const planned = (users: readonly string[], batch: (typeof batches)[number]) =>
            batch.map(({ user, client, stake }) =>
              order(users[user] ?? '', Number(stake), { clientOrderId: `client-${client}` }),
            )
          const [byTwo, byOne] = [await town(), await town()]
          for (const batch of batches) {
            const orders = planned(byTwo, batch)
            const balances = await acceptWholeUsers(ctx.db, orders, MAX_OPEN_ORDERS)
            const left = orders.filter((_, at) => balances[at] === null)
            const rows = left.length > 0 ? await acceptBatch(ctx.db, left, MAX_OPEN_ORDERS) : []
            const outcomes = orders.map((one, at) => {
              const balance = balances[at] ?? null
              if (balance !== null) return { outcome: 'accepted', balance }
              const { outcome, balance: rowBalance } = rows[left.indexOf(one)] ?? {}
              return { outcome, balance: rowBalance }
            })
            const each = await acceptBatch(ctx.db, planned(byOne, batch), MAX_OPEN_ORDERS)
            expect(outcomes).toEqual(each.map(({ outcome, balance }) => ({ outcome, balance })))
          }
          const storedState = (users: readonly string[]) =>
            Promise.all(
              users.map((user) =>
                ctx.db
                  .selectFrom('balance')
                  .select(['cash', 'staked', 'open_orders'])
                  .where('user_id', '=', user)
                  .executeTakeFirstOrThrow(),
              ),
            )
          expect(await storedState(byTwo)).toEqual(await storedState(byOne))
          expect((await checkLedger(ctx.db)).clean).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })
})
