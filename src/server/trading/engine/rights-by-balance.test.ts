import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { meanwhile } from '#test/support/meanwhile.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { type Rights, setRights } from '#test/support/set-rights.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(() => {
  ctx = createTestContext(database.db)
})

const NOTHING = { cash: 0, staked: 0, withdrawing: 0, credits: 0 }
type Change = Rights & { readonly verified?: boolean }
const change = async (db: Db, id: string, { verified, ...rights }: Change): Promise<void> => {
  if (verified !== undefined) await db.updateTable('app_user').set({ verified }).where('id', '=', id).execute()
  await setRights(ctx, db, id, rights)
}
const addBalance = (db: Db, user_id: string, currency: string) =>
  db.insertInto('balance').values({ user_id, currency, ...NOTHING })
/** Each account has one balance, so a new one needs the old one out of the way. */
const dropBalance = (userId: string) =>
  database.asOwner((owner) => sql`delete from balance where user_id = ${userId}`.execute(owner))
const rightsOf = (user: string) =>
  ctx.db
    .selectFrom('balance')
    .select(['may_trade', 'verified', 'trade_reason'])
    .select(['max_stake', 'max_stake_reason', 'max_open_stake', 'max_open_stake_reason'])
    .where('user_id', '=', user)
    .orderBy('currency')
    .execute()

const limit = fc.option(fc.bigInt({ min: 1n, max: 9n }))
const rights = fc.record(
  {
    verified: fc.boolean(),
    tradeOff: fc.constantFrom(null, 'asked to', 'under review'),
    maxStake: limit,
    maxOpenStake: limit,
  },
  { requiredKeys: [] },
)

describe("a user's permissions stored with the balance", () => {
  it('change with each change of the account, and are written to each new balance', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rights, { maxLength: 5 }), fc.nat(5), async (changes, addedAt) => {
        const user = await createFundedUser(ctx, money(1), { verified: false })
        let account: Required<Change> = { verified: false, tradeOff: null, maxStake: null, maxOpenStake: null }
        for (const [at, columns] of changes.entries()) {
          if (at === addedAt) {
            await dropBalance(user)
            await addBalance(ctx.db, user, 'EUR').execute()
          }
          await change(ctx.db, user, columns)
          account = { ...account, ...columns }
          const { verified, tradeOff, maxStake, maxOpenStake } = account
          const copy = {
            verified,
            may_trade: verified && tradeOff === null,
            trade_reason: tradeOff ?? '',
            max_stake: maxStake,
            max_stake_reason: maxStake === null ? '' : 'a limit',
            max_open_stake: maxOpenStake,
            max_open_stake_reason: maxOpenStake === null ? '' : 'a limit',
          }
          expect(await rightsOf(user)).toEqual([copy])
        }
      }),
      { numRuns: 40 },
    )
  })

  it('cannot be set by the statement that creates the balance', async () => {
    const user = await createFundedUser(ctx, money(1), { verified: false })
    await dropBalance(user)
    await sql`insert into balance (user_id, currency, cash, may_trade) values (${user}, 'EUR', 0, true)`.execute(ctx.db)
    expect(await rightsOf(user)).toMatchObject([{ may_trade: false }])
  })
})

describe.runIf(process.env['TEST_DATABASE_URL'])('while an account is being changed', () => {
  it('an order waits for a change of the permissions, and is decided by the changed permissions', async () => {
    const user = await createFundedUser(ctx, money(900))
    const acceptedBalances = await meanwhile(
      ctx.db,
      (tx) => change(tx, user, { tradeOff: 'asked to' }),
      () => acceptWholeUsers(ctx.db, [plannedOrder(ctx, user, { stake: money(100) })], 9),
    )
    expect(acceptedBalances).toEqual([null])
  })

  it.each<[string, Change, object]>([
    ['is no longer verified', { verified: false }, { outcome: 'not_verified' }],
    ['may no longer trade', { tradeOff: 'asked to' }, { outcome: 'trade_off', tradeReason: 'asked to' }],
    [
      'may stake less',
      { maxStake: 99n },
      { outcome: 'above_own_maximum', ownMaximum: { value: 99n, reason: 'a limit' } },
    ],
    ['may have less at stake', { maxOpenStake: 99n }, { outcome: 'above_own_open_stake', openStakeLeft: 99n }],
  ])('A26: decide a waiting order by the locked balance when its user %s', async (_what, columns, expected) => {
    const user = await createFundedUser(ctx, money(900))
    const [row] = await meanwhile(
      ctx.db,
      (tx) => change(tx, user, columns),
      () => acceptBatch(ctx.db, [plannedOrder(ctx, user, { stake: money(100) })], 9),
    )
    expect(row).toMatchObject(expected)
    expect(await database.db.selectFrom('open_order').selectAll().execute()).toEqual([])
  })

  it('A26: a waiting order is accepted when its user gets the right to trade', async () => {
    const user = await createFundedUser(ctx, money(900), { verified: false })
    await change(ctx.db, user, { tradeOff: 'a pause', maxStake: 1n, maxOpenStake: 1n })
    const [row] = await meanwhile(
      ctx.db,
      (tx) => change(tx, user, { verified: true, tradeOff: null, maxStake: null, maxOpenStake: 100n }),
      () => acceptBatch(ctx.db, [plannedOrder(ctx, user, { stake: money(100) })], 9),
    )
    expect(row).toMatchObject({ outcome: 'accepted', balance: 800n })
  })

  it('a new balance waits for a change of the permissions, and gets the changed permissions', async () => {
    const user = await createFundedUser(ctx, money(900))
    await dropBalance(user)
    await meanwhile(
      ctx.db,
      (tx) => change(tx, user, { maxStake: 7n }),
      () => addBalance(ctx.db, user, 'EUR').execute(),
    )
    expect(await rightsOf(user)).toMatchObject([{ max_stake: 7n }])
  })
})
