import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { money } from '#core/money/money.ts'
import { findResultNumbers, MAX_RESENT_RESULTS, noteSeen, unseenResults } from '#server/sockets/live.queries.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

// One test below changes the schema of its database.
const database = useTestDatabase({ isReused: false })
const ALL = 10_000
let userId: string
let stranger: string

beforeEach(async () => {
  const ctx = createTestContext(database.db)
  userId = await createFundedUser(ctx, money(100_000n))
  stranger = await createFundedUser(ctx, money(100_000n))
})

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const numberOf = (orderId: string) => Number(orderId.slice(-12))

/** Inserts results with numbers from 1 on, settled a second apart. */
async function end(count: number): Promise<void> {
  await sql`
    insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
      profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms, result,
      result_amount, balance_after, exit_seq, exit_price, exit_time_ms, settled_ms, result_number)
    select ${userId}::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'c' || n, 'T' || n, ${BTC.id}::int4, 1,
      60, 1, 100, 8000, 1, n, 100, 0, 'test', n * 1000, n * 1000, 1, 80, 100, n, 101, 0, n * 1000, n
    from generate_series(1, ${count}::int4) n`.execute(database.db)
}

async function unseen(): Promise<number[]> {
  const results = await unseenResults(database.db, [userId, stranger], instant(0), ALL)
  return results.map(({ orderId }) => numberOf(orderId))
}

/**
 * Confirms results by their order ids. Their result numbers are unknown, so the tested class looks the numbers up
 * first.
 */
async function see(...numbers: readonly number[]): Promise<void> {
  const keys = numbers.map((number) => ({ userId, orderId: idOf(number) }))
  await noteSeen(database.db, await findResultNumbers(database.db, keys))
}

async function row(): Promise<{ until: bigint; beyond: number }> {
  const { rows } = await sql<{ until: bigint; beyond: number }>`
    select until_number as until, cardinality(beyond) as beyond from result_seen where user_id = ${userId}::uuid`.execute(
    database.db,
  )
  return rows[0] ?? { until: 0n, beyond: 0 }
}

const SOME = 12
it('returns exactly the unconfirmed results, in any order of confirmation', async () => {
  const numbers = fc.array(fc.integer({ min: 1, max: SOME }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(numbers, { maxLength: 8 }), async (calls) => {
      await database.truncateAll()
      userId = await createFundedUser(createTestContext(database.db), money(100_000n))
      await end(SOME)
      const seen = new Set<number>()
      for (const some of calls) {
        await see(...some)
        for (const number of some) seen.add(number)
        expect(await unseen()).toEqual(Array.from({ length: SOME }, (_, at) => at + 1).filter((one) => !seen.has(one)))
      }
    }),
    { numRuns: 25 },
  )
})

describe('stored confirmations', () => {
  it('shrink to one number when all results up to it are confirmed', async () => {
    await end(6)
    await see(2, 1)
    await see(3, 5)
    expect(await row()).toEqual({ until: 3n, beyond: 1 })
    await see(4)
    expect(await row()).toEqual({ until: 5n, beyond: 0 })
    await see(1, 2, 5)
    expect(await row()).toEqual({ until: 5n, beyond: 0 })
    expect(await unseen()).toEqual([6])
  })

  it('ignore results of other users and unknown orders', async () => {
    await end(2)
    const keys = [
      { userId: stranger, orderId: idOf(1) },
      { userId, orderId: idOf(99) },
      { userId, orderId: idOf(2) },
    ]
    expect(await findResultNumbers(database.db, keys)).toEqual([{ userId, number: 2 }])
  })

  it('exclude results too old to be resent', async () => {
    const count = MAX_RESENT_RESULTS + 50
    await end(count)
    await see(...Array.from({ length: count - 1 }, (_, at) => at + 2))
    await see(count)
    expect(await row()).toEqual({ until: BigInt(count - MAX_RESENT_RESULTS), beyond: MAX_RESENT_RESULTS })
    await see(count)
    expect(await row()).toEqual({ until: BigInt(count), beyond: 0 })
    expect(await unseen()).toEqual([])
  })

  it('keep only the newest results as unconfirmed when many are never confirmed', async () => {
    await end(MAX_RESENT_RESULTS + 50)
    expect(await unseen()).toHaveLength(MAX_RESENT_RESULTS)
    await see(MAX_RESENT_RESULTS + 50)
    await see(MAX_RESENT_RESULTS + 49)
    expect(await unseen()).toHaveLength(MAX_RESENT_RESULTS - 2)
    expect(await row()).toEqual({ until: 50n, beyond: 2 })
  })
})

it('returns at most the requested number of results: the newest, in the order of their settlement', async () => {
  await end(9)
  const results = await unseenResults(database.db, [userId], instant(5_000), 3)
  expect(results.map(({ orderId }) => numberOf(orderId))).toEqual([7, 8, 9])
  expect(await unseenResults(database.db, [userId], instant(9_000), 3)).toEqual([])
})

it('counts results that are older than result numbers as confirmed', async () => {
  await end(2)
  await database.asOwner((owner) => owner.updateTable('order_history').set({ result_number: null }).execute())
  expect(await unseen()).toEqual([])
  await see(1)
  expect(await row()).toEqual({ until: 0n, beyond: 0 })
})
