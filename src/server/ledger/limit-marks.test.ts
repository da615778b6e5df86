import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { WINDOW_MS } from '#core/accounts/self-limits.ts'
import { money } from '#core/money/money.ts'
import { DRAW, LOSE, VOID, WIN } from '#core/orders/order.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { backfillMarks, dropOldMarks } from '#server/ledger/limit-marks.queries.ts'
import { limitWindows } from '#server/ledger/limit-use-sql.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let user: string
/** The time before any test, so that no mark lies in the future. */
const NOW = Date.now()
beforeEach(async () => {
  ctx = createTestContext(database.db, instant(NOW))
  user = await createFundedUser(ctx, money(1))
})

interface PastOrder {
  readonly at: number
  readonly stake: bigint
  readonly result: number
  readonly net: bigint
}

const KEYS = ['loss_day', 'loss_week', 'loss_month', 'staked_day', 'staked_week', 'staked_month'] as const
/** The maximum by which each window may be longer than a day, week or month. */
const SLACK_MS = { day: 15 * MINUTE_MS, week: HOUR_MS, month: HOUR_MS }

const order = fc
  .record({
    // One third of the orders end within two hours of the start of a window. One third end in the last two hours, and
    // one third at any time.
    ago: fc.oneof(
      fc.integer({ min: 0, max: 32 * DAY_MS }),
      fc
        .tuple(fc.constantFrom(DAY_MS, 7 * DAY_MS, 30 * DAY_MS), fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }))
        .map(([window, by]) => window + by),
      fc.integer({ min: 0, max: 2 * HOUR_MS }),
    ),
    stake: fc.bigInt({ min: 1n, max: 1_000n }),
    result: fc.constantFrom(WIN, LOSE, DRAW, VOID),
  })
  .map(
    ({ ago, stake, result }): PastOrder => ({
      at: NOW - ago,
      stake,
      result,
      net: result === WIN ? stake / 2n : result === LOSE ? -stake : 0n,
    }),
  )
const orders = fc.array(order, { maxLength: 30 })

describe('the used amount of an own limit on losses or stakes', () => {
  it('US1.3: equals the sum over a window that is longer than a day, week or month by at most the slack', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 0, max: 31 * DAY_MS }), async (ended, later) => {
        await store(ended)
        await backfillMarks(ctx.db, user)
        await markNow(ended)
        const at = NOW + later
        const used = await usedAt(at)
        expect(used.size).toBe(KEYS.length)
        for (const [key, amount] of used) expect(possible(ended, key, at)).toContain(amount)
      }),
      { numRuns: 60 },
    )
  })

  it('US1.3: stays correct when old marks are dropped, and is never too small for stakes when marks are missing', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.subarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), async (ended, missing) => {
        await store(ended)
        await backfillMarks(ctx.db, user)
        await dropOldMarks(ctx.db)
        for (const [key, amount] of await usedAt(NOW)) expect(possible(ended, key, NOW)).toContain(amount)
        const marks = await ctx.db.selectFrom('limit_mark').select('made_ms').orderBy('made_ms').execute()
        const gone = marks.filter((_, at) => at > 0 && missing.includes(at % 10)).map(({ made_ms }) => made_ms)
        if (gone.length > 0) await ctx.db.deleteFrom('limit_mark').where('made_ms', 'in', gone).execute()
        for (const [key, amount] of await usedAt(NOW)) {
          if (key.startsWith('staked')) expect(amount).toBeGreaterThanOrEqual(stakedIn(ended, NOW - windowOf(key)))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('US1.3: cleaning keeps every mark of a day, the last mark of each hour, and one mark before the longest window', async () => {
    const minutes = [45 * DAY_MS, 40 * DAY_MS, 29 * DAY_MS + 90 * MINUTE_MS, 29 * DAY_MS, HOUR_MS, 45 * MINUTE_MS]
    const hour = Math.floor(NOW / HOUR_MS) * HOUR_MS
    const times = [...minutes.map((ago) => hour - ago), hour - 29 * DAY_MS + 15 * MINUTE_MS]
    await ctx.db
      .insertInto('limit_mark')
      .values(times.map((made_ms) => ({ user_id: user, made_ms, net_total: 0, stake_total: 0 })))
      .execute()
    await dropOldMarks(ctx.db)
    const left = await ctx.db.selectFrom('limit_mark').select('made_ms').orderBy('made_ms').execute()
    expect(left.map(({ made_ms }) => hour - Number(made_ms))).toEqual([
      40 * DAY_MS,
      29 * DAY_MS + 90 * MINUTE_MS,
      29 * DAY_MS - 15 * MINUTE_MS,
      HOUR_MS,
      45 * MINUTE_MS,
    ])
  })
})

const windowOf = (key: string) => WINDOW_MS[key.split('_')[1] as keyof typeof WINDOW_MS]
const stakedIn = (ended: readonly PastOrder[], from: number) =>
  ended.filter(({ at, result }) => at > from && result !== VOID).reduce((sum, { stake }) => sum + stake, 0n)
const lostIn = (ended: readonly PastOrder[], from: number) => {
  const lost = ended.filter(({ at }) => at > from).reduce((sum, { net }) => sum - net, 0n)
  return lost > 0n ? lost : 0n
}

/** Returns all amounts that are correct for a window of an allowed length, computed from the orders alone. */
function possible(ended: readonly PastOrder[], key: (typeof KEYS)[number], at: number): bigint[] {
  const slack = SLACK_MS[key.split('_')[1] as keyof typeof SLACK_MS]
  const from = at - windowOf(key)
  const begins = [from, from - slack, ...ended.map((one) => one.at).filter((one) => one <= from && one >= from - slack)]
  return begins.map((begin) => (key.startsWith('loss') ? lostIn(ended, begin) : stakedIn(ended, begin)))
}

/** Stores an order history and its totals, and sets own limits on all windows. */
async function store(ended: readonly PastOrder[]): Promise<void> {
  await database.truncateAll()
  user = await createFundedUser(ctx, money(1))
  for (const { at, stake, result, net } of ended) {
    const void_reason = result === VOID ? 'no_entry_price' : null
    const own = { user_id: user, id: ctx.newId(), settled_ms: at, stake, result, result_amount: net, void_reason }
    const row = historyRow(own)
    await ctx.db.insertInto('order_history').values(row).execute()
  }
  await ctx.db
    .updateTable('balance')
    .set({ net_total: ended.reduce((sum, { net }) => sum + net, 7n), stake_total: stakedIn(ended, 0) + 5n })
    .execute()
  await ctx.db
    .insertInto('self_limit_change')
    .values(KEYS.map((key) => ({ user_id: user, id: ctx.newId(), key, to_amount: 1 })))
    .execute()
}

/** Inserts the mark that the job would make now. */
async function markNow(ended: readonly PastOrder[]): Promise<void> {
  const net = ended.reduce((sum, one) => sum + one.net, 7n)
  await ctx.db
    .insertInto('limit_mark')
    .values({ user_id: user, made_ms: NOW, net_total: net, stake_total: stakedIn(ended, 0) + 5n })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function usedAt(at: number): Promise<Map<(typeof KEYS)[number], bigint>> {
  const { rows } = await sql<{ key: (typeof KEYS)[number]; used: bigint }>`
    select w.key, w.used from balance l cross join lateral (${limitWindows(sql`${at}::int8`)}) w
    where l.user_id = ${user}`.execute(ctx.db)
  return new Map(rows.map(({ key, used }) => [key, used]))
}
