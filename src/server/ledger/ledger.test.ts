import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { BASE_CURRENCY, netChanges, type Transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { checkLedger } from '#server/ledger/check-ledger.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { createFundedUser } from '#testing/market-fixtures.ts'
import { createTestContext, type TestContext } from '#testing/test-context.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

const ACCOUNTS: Account[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]
/** Credits come from the bonus account, and stay. */
const isTaken = ({ from, to }: { from: Account; to: Account }) =>
  from !== 'credits' && (to !== 'credits' || from === 'house:bonus')
/** Moves between any two different accounts of one of three users, as far as they may be. */
const anyMove = fc
  .record({
    user: fc.nat({ max: 2 }),
    from: fc.constantFrom(...ACCOUNTS),
    to: fc.constantFrom(...ACCOUNTS),
    amount: fc.bigInt({ min: 1n, max: 1_000_000n }),
  })
  .filter((move) => move.from !== move.to && isTaken(move))
type Move = { user: number; from: Account; to: Account; amount: bigint }

const transferOf = (users: readonly string[], { user, from, to, amount }: Move): Transfer => ({
  userId: users[user] ?? '',
  ref: ctx.newId(),
  step: 'test',
  kind: 'test',
  from,
  to,
  currency: BASE_CURRENCY,
  amount: money(amount),
})
const balanceOf = (userId: string) =>
  ctx.db
    .selectFrom('balance')
    .select(['cash', 'staked', 'withdrawing', 'credits'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()

describe('any sequence of transfers', () => {
  it('leaves cached balances equal to the sums, all accounts together zero, and none below zero', async () => {
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
            } else {
              await expect(posting).rejects.toThrow(/balance_.*_check/)
            }
            expect(await Promise.all(users.map(balanceOf))).toEqual(expected)
          }
          const report = await checkLedger(ctx.db)
          const books = report.mismatches.filter(({ what }) => what !== 'stakes' && what !== 'withdrawals')
          expect({ sum: report.sumOfAll, unknown: report.unknownAccounts, books }).toEqual({
            sum: 0n,
            unknown: [],
            books: [],
          })
          // Stakes without orders behind them, and holds without withdrawals, must be reported.
          const staked = expected.filter((balance) => balance.staked > 0n).length
          const held = expected.filter((balance) => balance.withdrawing > 0n).length
          expect(report.mismatches.length).toBe(staked + held)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('posting', () => {
  it('the same step of the same thing twice is impossible', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    const once = { ...transferOf([user], { user: 0, from: 'cash', to: 'staked', amount: 100n }), ref: ctx.newId() }
    const post = () => ctx.db.transaction().execute((tx) => postTransfers(tx, [once], ctx.now()))
    await post()
    await expect(post()).rejects.toThrow(/transfer_pkey/)
    expect(await balanceOf(user)).toMatchObject({ cash: 900n, staked: 100n })
  })

  it('nothing, a negative amount or to the same account is a bug', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    for (const change of [{ amount: money(0) }, { amount: money(-1n) }, { to: 'cash' as const }]) {
      const wrong = { ...transferOf([user], { user: 0, from: 'cash', to: 'staked', amount: 1n }), ...change }
      await expect(ctx.db.transaction().execute((tx) => postTransfers(tx, [wrong], ctx.now()))).rejects.toThrow(
        'assertion failed',
      )
    }
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })
})

describe('credits', () => {
  it.each([
    ...ACCOUNTS.filter((account) => account !== 'credits').map((to) => ({ from: 'credits' as const, to })),
    ...ACCOUNTS.filter((account) => account !== 'credits' && account !== 'house:bonus').map((from) => ({
      from,
      to: 'credits' as const,
    })),
  ])('never go from $from to $to', async ({ from, to }) => {
    const user = await createFundedUser(ctx, money(1_000n))
    const post = (move: Omit<Move, 'user'>) =>
      ctx.db.transaction().execute((tx) => postTransfers(tx, [transferOf([user], { user: 0, ...move })], ctx.now()))
    await post({ from: 'house:bonus', to: 'credits', amount: 500n })
    await expect(post({ from, to, amount: 100n })).rejects.toThrow(/credits_stay/)
    expect(await balanceOf(user)).toMatchObject({ cash: 1_000n, credits: 500n })
  })
})

describe('the check', () => {
  it('counts what there is', async () => {
    await createFundedUser(ctx, money(1_234n))
    await createFundedUser(ctx, money(766n))
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: true, users: 2, transfers: 2, openOrders: 0, sumOfAll: 0n })
    expect(report.house).toEqual(new Map([['house:deposits', -2_000n]]))
  })

  it('finds money that came from nowhere, and a transfer that touched no balance', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    await ctx.db.updateTable('balance').set({ credits: 5n }).execute()
    await ctx.db
      .insertInto('transfer')
      .values({
        user_id: user,
        ref: ctx.newId(),
        step: 'x',
        kind: 'x',
        from_account: 'house:bonus',
        to_account: 'cash',
        currency: BASE_CURRENCY,
        amount: 7n,
        created_ms: ctx.now(),
      })
      .execute()
    const report = await checkLedger(ctx.db)
    expect(report.clean).toBe(false)
    expect(report.mismatches).toEqual([
      { userId: user, what: 'cash', cached: 1_000n, counted: 1_007n },
      { userId: user, what: 'credits', cached: 5n, counted: 0n },
    ])
  })
})
