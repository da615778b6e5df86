import fc from 'fast-check'
import { PostgresQueryCompiler } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { BASE_CURRENCY, netChanges, type Transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import type { LedgerMismatch } from '#server/ledger/reconciliation/count-ledger.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
allowBareTransfers(database)
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

/** Only practice accounts have transfers with the account of practice. */
const ACCOUNTS: Account[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS].filter((account) => account !== 'house:practice')
/** Credits come only from the bonus account and never leave the credits account. */
const isAllowedMove = ({ from, to }: { from: Account; to: Account }) =>
  from !== 'credits' && (to !== 'credits' || from === 'house:bonus')
/** Generates transfers between two different accounts of one of three users, as far as the rules allow. */
const anyMove = fc
  .record({
    user: fc.nat({ max: 2 }),
    from: fc.constantFrom(...ACCOUNTS),
    to: fc.constantFrom(...ACCOUNTS),
    amount: fc.bigInt({ min: 1n, max: 1_000_000n }),
  })
  .filter((move) => move.from !== move.to && isAllowedMove(move))
type Move = { user: number; from: Account; to: Account; amount: bigint }

const transferOf = (users: readonly string[], { user, from, to, amount }: Move): Transfer => ({
  userId: users[user] ?? '',
  ref: ctx.newId(),
  step: 'test',
  kind: 'deposit',
  from,
  to,
  currency: BASE_CURRENCY,
  amount: money(amount),
})
const post = (...transfers: readonly Transfer[]) =>
  ctx.db.transaction().execute((tx) => postTransfers(tx, transfers, ctx.now()))
const compiler = new PostgresQueryCompiler()
const balanceOf = (userId: string) =>
  ctx.db
    .selectFrom('balance')
    .select(['cash', 'staked', 'withdrawing', 'credits'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()

const FLOWS_OF_ORDERS = [
  ['orders_lost', 'staked', 'house:trading'],
  ['orders_staked', 'cash', 'staked'],
  ['orders_won', 'house:trading', 'cash'],
] as const

/** Returns the mismatches that a check must report, because these transfers belong to no orders. */
function withoutOrders(transfers: readonly Transfer[]): LedgerMismatch[] {
  const users = [...new Set(transfers.map(({ userId }) => userId))].toSorted()
  const all = users.flatMap((userId) =>
    FLOWS_OF_ORDERS.map(([what, from, to]) => {
      const own = transfers.filter((one) => one.userId === userId && one.from === from && one.to === to)
      return { userId, what, cached: 0n, counted: own.reduce((sum, { amount }) => sum + amount, 0n) }
    }),
  )
  return all.filter(({ counted }) => counted > 0n)
}

type Line = Record<'from_account' | 'to_account', string> & { amount: bigint }
/** Inserts a transfer directly, without the checks of `postTransfers`. */
const insertTransfer = (userId: string, line: Line) =>
  ctx.db
    .insertInto('transfer')
    .values({
      ...line,
      user_id: userId,
      ref: ctx.newId(),
      step: 'x',
      kind: 'demo_funds',
      currency: BASE_CURRENCY,
      created_ms: ctx.now(),
    })
    .execute()

describe('any sequence of transfers', () => {
  it('leaves the cached balances equal to the sums, the total at zero, and no balance negative', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyMove, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        async (batches) => {
          await database.truncateAll()
          const users = [
            await createFundedUser(ctx, money(500_000n)),
            await createFundedUser(ctx, money(500_000n)),
            await createFundedUser(ctx, money(0)),
          ]
          const expected = await Promise.all(users.map(balanceOf))
          const posted: Transfer[] = []
          for (const batch of batches) {
            const transfers = batch.map((move) => transferOf(users, move))
            const after = users.map((userId, at) => {
              const net = netChanges(transfers.filter((transfer) => transfer.userId === userId))
              const before = expected[at] ?? { cash: 0n, staked: 0n, withdrawing: 0n, credits: 0n }
              return {
                cash: before.cash + net.cash,
                staked: before.staked + net.staked,
                withdrawing: before.withdrawing + net.withdrawing,
                credits: before.credits + net.credits,
              }
            })
            const isAllowed = after.every((balance) => Object.values(balance).every((amount) => amount >= 0n))
            const posting = ctx.db.transaction().execute((tx) => postTransfers(tx, transfers, ctx.now()))
            if (isAllowed) {
              await posting
              expected.splice(0, expected.length, ...after)
              posted.push(...transfers)
            } else {
              await expect(posting).rejects.toThrow(/balance_.*_check/)
            }
            expect(await Promise.all(users.map(balanceOf))).toEqual(expected)
          }
          const report = await checkLedger(ctx.db)
          const [ofOrders, others] = [true, false].map((isOfOrders) =>
            report.mismatches.filter(({ what }) => what.startsWith('orders_') === isOfOrders),
          )
          const books = others?.filter(({ what }) => what !== 'stakes' && what !== 'withdrawals')
          expect({ sum: report.sumOfAll, unknown: report.unknownAccounts, books }).toEqual({
            sum: 0n,
            unknown: [],
            books: [],
          })
          expect(ofOrders).toEqual(withoutOrders(posted))
          // The check must report stakes without open orders, and money held for withdrawals without a pending
          // withdrawal.
          const staked = expected.filter((balance) => balance.staked > 0n).length
          const held = expected.filter((balance) => balance.withdrawing > 0n).length
          expect(others?.length).toBe(staked + held)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('posting transfers', () => {
  it('rejects a second transfer with the same user, reference and step', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    const once = { ...transferOf([user], { user: 0, from: 'cash', to: 'staked', amount: 100n }), ref: ctx.newId() }
    await post(once)
    await expect(post(once)).rejects.toThrow(/transfer_pkey/)
    expect(await balanceOf(user)).toMatchObject({ cash: 900n, staked: 100n })
  })

  it('throws for an amount of zero or less, and for a transfer to the same account', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    for (const { change, why } of [
      { change: { amount: money(0) }, why: 'a transfer moves a positive amount' },
      { change: { amount: money(-1n) }, why: 'a transfer moves a positive amount' },
      { change: { to: 'cash' as const }, why: 'a transfer joins two accounts' },
    ]) {
      const wrong = { ...transferOf([user], { user: 0, from: 'cash', to: 'staked', amount: 1n }), ...change }
      await expect(post(wrong)).rejects.toThrow(why)
    }
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })

  it('does nothing without transfers', async () => {
    await post()
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, transfers: 0 })
  })

  it('throws for a user without a balance, and rolls back', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    const own = transferOf([user], { user: 0, from: 'cash', to: 'staked', amount: 100n })
    await expect(post(own, { ...own, step: 'other', currency: 'XXX' })).rejects.toThrow('one balance row per currency')
    await expect(post(own, { ...own, userId: ctx.newId() })).rejects.toThrow('one balance row per currency')
    expect(await balanceOf(user)).toMatchObject({ cash: 1_000n, staked: 0n })
  })

  it('locks balances in the same order whatever the order of transfers', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createFundedUser(ctx, money(1_000n))))
    const locked: string[] = []
    const watched = ctx.db.withPlugin({
      transformQuery({ node }) {
        const { sql: text, parameters } = compiler.compileQuery(node, { queryId: 'watched' })
        if (text.startsWith('update "balance"')) locked.push(...users.filter((user) => parameters.includes(user)))
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    for (const order of [users, users.toReversed(), [3, 0, 5, 1, 4, 2].map((at) => users[at] ?? '')]) {
      const transfers = order.map((_, user) => transferOf(order, { user, from: 'cash', to: 'staked', amount: 1n }))
      await watched.transaction().execute((tx) => postTransfers(tx, transfers, ctx.now()))
      expect(locked.splice(0)).toEqual(users.toSorted())
    }
  })
})

describe('credits', () => {
  it.each([
    ...ACCOUNTS.filter((account) => account !== 'credits').map((to) => ({ from: 'credits' as const, to })),
    ...ACCOUNTS.filter((account) => account !== 'credits' && account !== 'house:bonus').map((from) => ({
      from,
      to: 'credits' as const,
    })),
  ])('PR3: never go from $from to $to', async ({ from, to }) => {
    const user = await createFundedUser(ctx, money(1_000n))
    const move = (one: Omit<Move, 'user'>) => post(transferOf([user], { user: 0, ...one }))
    await move({ from: 'house:bonus', to: 'credits', amount: 500n })
    await expect(move({ from, to, amount: 100n })).rejects.toThrow(/credits_stay/)
    expect(await balanceOf(user)).toMatchObject({ cash: 1_000n, credits: 500n })
  })
})

describe('the ledger check', () => {
  it('counts users, transfers and open orders', async () => {
    await createFundedUser(ctx, money(1_234n))
    await createFundedUser(ctx, money(766n))
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: true, users: 2, transfers: 2, openOrders: 0, sumOfAll: 0n })
    expect(report.house).toEqual(new Map([['house:deposits', -2_000n]]))
  })

  it('finds a missing amount of one user and a surplus of another', async () => {
    const [poor, rich] = [await createFundedUser(ctx, money(1_000n)), await createFundedUser(ctx, money(1_000n))]
    await ctx.db.updateTable('balance').set({ cash: 990n }).where('user_id', '=', poor).execute()
    await ctx.db.updateTable('balance').set({ cash: 1_010n }).where('user_id', '=', rich).execute()
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: false, sumOfAll: 0n, unknownAccounts: [] })
    expect(report.mismatches).toHaveLength(2)
  })

  it('finds money on an unknown account', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    await insertTransfer(user, { from_account: 'house:fees', to_account: 'house:pockets', amount: 5n })
    expect(await checkLedger(ctx.db)).toMatchObject({
      clean: false,
      mismatches: [],
      sumOfAll: 0n,
      unknownAccounts: ['house:pockets'],
    })
  })

  it('counts open orders', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    await acceptBatch(ctx.db, [plannedOrder(ctx, user), plannedOrder(ctx, user)], 10)
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: 2 })
  })

  it.each(FLOWS_OF_ORDERS)(
    'finds a transfer without an order behind it, though the balances match: %s',
    async (what, from, to) => {
      const user = await createFundedUser(ctx, money(1_000n))
      await acceptBatch(ctx.db, [plannedOrder(ctx, user)], 10)
      await post(transferOf([user], { user: 0, from, to, amount: 7n }))
      const cached = what === 'orders_staked' ? 100n : 0n
      expect((await checkLedger(ctx.db)).mismatches).toContainEqual({
        userId: user,
        what,
        cached,
        counted: cached + 7n,
      })
    },
  )

  it('finds money without a source, and a transfer that changed no balance', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    await ctx.db.updateTable('balance').set({ credits: 5n }).execute()
    await insertTransfer(user, { from_account: 'house:bonus', to_account: 'cash', amount: 7n })
    const report = await checkLedger(ctx.db)
    expect(report.clean).toBe(false)
    expect(report.mismatches).toEqual([
      { userId: user, what: 'cash', cached: 1_000n, counted: 1_007n },
      { userId: user, what: 'credits', cached: 5n, counted: 0n },
    ])
  })
})
