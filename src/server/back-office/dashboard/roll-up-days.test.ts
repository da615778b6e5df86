import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { money } from '#core/money/money.ts'
import { countOnce } from '#server/back-office/dashboard/roll-up-days.ts'
import { type DayTotal, readAllTime, readDays } from '#server/back-office/dashboard/day-totals.queries.ts'
import { SOURCE_SQL, SOURCES } from '#server/back-office/dashboard/day-total-sources.ts'
import { CLOSE_AFTER_MS, COUNT_AFTER_MS } from '#server/platform/jobs/daily-rollup.ts'
import { allowBareRecords } from '#test/support/bare-rows.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
allowBareRecords(database)
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

/** Ages of rows, from more than a year ago to now. */
const AGES = [400 * DAY_MS, 3 * DAY_MS, DAY_MS, 2 * HOUR_MS, 5 * MINUTE_MS, 0]
let people: string[] = []

async function populate(): Promise<void> {
  for (const [id, marketType] of ['crypto', 'us_stocks', 'us_fx'].entries()) {
    await sql`insert into market_symbol (id, code, name, market_type, decimals, max_tick_age_ms, sort)
      values (${id + 1}, ${`S${id}`}, 'Symbol', ${marketType}, 2, 5000, ${id})`.execute(ctx.db)
  }
  await sql`insert into gateway (id, kind, name, currency, min_amount, max_amount, rate_millionths, sort)
    values (1, 'deposit', 'G', 'USDT', 1, 1000, 1000000, 1)`.execute(ctx.db)
  people = [await createFundedUser(ctx, money(0n)), await createFundedUser(ctx, money(0n))]
  await database.asOwner((owner) =>
    owner
      .updateTable('app_user')
      .set({ is_bot: true })
      .where('id', '=', people[1] ?? '')
      .execute(),
  )
}

/**
 * Inserts a row with the time `at`. `nth` decides whether it is an order, a deposit or a withdrawal, and its amounts.
 */
async function happen(nth: number, at: Instant): Promise<void> {
  const user = people[nth % 2] ?? ''
  const id = ctx.newId()
  if (nth % 5 < 3) {
    const own = { user_id: user, id, symbol_id: 1 + (nth % 3), stake: 100 + nth, opened_ms: at, settled_ms: at }
    const resultColumns = nth % 2 === 0 ? { result: 1, result_amount: nth } : { result: 2, result_amount: -nth }
    await ctx.db
      .insertInto('order_history')
      .values(historyRow({ ...own, ...resultColumns }))
      .execute()
  } else if (nth % 5 === 3) {
    await sql`insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge, fixed_charge,
        total, rate_millionths, credited, created_ms, decided_ms)
      values (${user}, ${id}, ${id}, 1, 1, 'USDT', ${1 + nth}, 0, 0, ${1 + nth}, 1000000, ${1 + nth}, ${at}, ${at})`.execute(
      ctx.db,
    )
  } else {
    await sql`insert into withdrawal (user_id, id, trx, gateway_id, status, state, currency, amount, percent_charge,
        fixed_charge, rate_millionths, paid_out, created_ms, decided_ms)
      values (${user}, ${id}, ${id}, 1, 1, 'paid', 'USDT', ${1 + nth}, 0, 0, 1000000, 1, ${at}, ${at})`.execute(ctx.db)
  }
}

const text = ({ day, kind, isBot, count, amount, result }: DayTotal) =>
  `${day} ${kind} ${isBot} ${count} ${amount} ${result}`

/** Computes all totals directly from the rows. */
async function fullCount(): Promise<string[]> {
  const all: string[] = []
  for (const source of SOURCES) {
    const { rows } = await sql<{
      day: number
      kind: DayTotal['kind']
      is_bot: boolean
      count: bigint
      amount: bigint
      result: bigint
    }>`${SOURCE_SQL[source].totals(0, null)}`.execute(ctx.db)
    all.push(...rows.map((row) => text({ ...row, isBot: row.is_bot, count: Number(row.count) })))
  }
  return all.toSorted()
}

const counted = async () => {
  const { isComplete, rows } = await readDays(ctx.db, ctx.now(), 0)
  return { isComplete, rows: rows.map(text).toSorted() }
}

type Step =
  | { readonly do: 'happen'; readonly nth: number; readonly lateMs: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'count'; readonly portion: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('happen' as const), nth: fc.nat(60), lateMs: fc.nat(COUNT_AFTER_MS - 1) }),
  fc.record({
    do: fc.constant('pass' as const),
    ms: fc.constantFrom(SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 6 * HOUR_MS),
  }),
  fc.record({ do: fc.constant('count' as const), portion: fc.integer({ min: 1, max: 4 }) }),
)

describe('the daily totals', () => {
  it('equal the sums of the rows, whatever their order and wherever counting was interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...AGES)), { maxLength: 12 }),
        fc.array(anyStep, { maxLength: 14 }),
        async (history, steps) => {
          await database.truncateAll()
          await populate()
          for (const [nth, age] of history) await happen(nth, instant(ctx.now() - age))
          for (const step of steps) {
            if (step.do === 'pass') ctx.clock.jump(step.ms)
            else if (step.do === 'count') await countOnce(ctx, step.portion)
            else await happen(step.nth, instant(ctx.now() - step.lateMs))
            const now = await counted()
            if (now.isComplete) expect(now.rows).toEqual(await fullCount())
          }
          while (await countOnce(ctx, 3)) continue
          expect(await counted()).toEqual({ isComplete: true, rows: await fullCount() })
        },
      ),
      { numRuns: 8 },
    )
  })

  it('grow in portions at the first start, and stay marked as incomplete until all rows are counted', async () => {
    await populate()
    for (let nth = 0; nth < 30; nth += 1) await happen(nth * 5, instant(ctx.now() - DAY_MS - nth))
    expect(await countOnce(ctx, 10)).toBe(true)
    expect((await counted()).isComplete).toBe(false)
    while (await countOnce(ctx, 10)) continue
    expect(await counted()).toEqual({ isComplete: true, rows: await fullCount() })
  })

  it('include a row that committed minutes late once its day is closed', async () => {
    await populate()
    await countOnce(ctx)
    ctx.clock.jump(10 * MINUTE_MS)
    await countOnce(ctx)
    await happen(0, instant(ctx.now() - 5 * MINUTE_MS))
    expect((await counted()).rows).not.toEqual(await fullCount())
    ctx.clock.jump(DAY_MS + CLOSE_AFTER_MS)
    for (let times = 0; times < 4; times += 1) await countOnce(ctx)
    expect((await counted()).rows).toEqual(await fullCount())
    expect(ctx.lines.filter(({ message }) => message === 'a day was recounted')).toHaveLength(1)
  })

  it('add up to the all-time total, which equals the sum of all orders', async () => {
    await populate()
    for (let nth = 0; nth < 10; nth += 1) await happen(nth, instant(ctx.now() - nth * DAY_MS))
    while (await countOnce(ctx)) continue
    const { rows } = await readAllTime(ctx.db, ctx.now())
    const orders = rows.filter(({ kind }) => kind === 'crypto' || kind === 'us_stocks' || kind === 'us_fx')
    const users = await sql<{ sum: bigint }>`select sum(result_amount)::int8 as sum from order_history`.execute(ctx.db)
    expect(orders.reduce((sum, { result }) => sum + result, 0n)).toBe(-(users.rows[0]?.sum ?? 0n))
  })
})
