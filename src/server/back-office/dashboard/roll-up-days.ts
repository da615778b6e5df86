import { sql } from 'kysely'
import type { Ctx } from '#server/platform/context/context.ts'
import { KINDS_OF, type Source, SOURCE_SQL, SOURCES } from '#server/back-office/dashboard/day-total-sources.ts'
import { closeDay, countByDay, type DayCount } from '#server/platform/jobs/daily-rollup.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 20,000 rows per transaction, so that counting years of orders at a first start delays no other work. */
const PORTION = 20_000
const COUNT_EVERY_MS = 15_000

/**
 * Maintains a total of each day, so that the dashboard never sums the same rows twice. Returns a function that stops
 * it.
 */
export function countDays(ctx: Ctx): () => Promise<void> {
  let isBehind = true
  return runPeriodically(ctx, {
    pauseMs: () => (isBehind ? 50 : COUNT_EVERY_MS),
    run: async () => {
      isBehind = await countOnce(ctx)
    },
    failure: 'cannot count the daily totals',
  })
}

/** Counts one portion of rows of each source. Returns whether more rows wait to be counted. */
export async function countOnce(ctx: Ctx, portion = PORTION): Promise<boolean> {
  let isBehind = false
  for (const source of SOURCES) {
    const totals = totalsOf(source)
    if (await countByDay(ctx, totals, portion)) isBehind = true
    else await closeDay(ctx, totals)
  }
  return isBehind
}

function totalsOf(source: Source): DayCount {
  const { rows, time, totals } = SOURCE_SQL[source]
  const kinds = KINDS_OF[source]
  return {
    name: source,
    rows,
    time,
    firstMs: () => 0,
    add: async (tx, from, until) => {
      await sql`
        insert into day_total (day, kind, is_bot, count, amount, result) ${totals(from, until)}
        on conflict (day, kind, is_bot) do update set count = day_total.count + excluded.count,
          amount = day_total.amount + excluded.amount, result = day_total.result + excluded.result`.execute(tx)
    },
    counted: (day) =>
      sql`select sum(count)::int8 from day_total where day = ${day}::int4 and kind in (${sql.join(kinds)})`,
    forget: async (tx, day) => {
      await tx
        .deleteFrom('day_total')
        .where('day', '=', day)
        .where('kind', 'in', [...kinds])
        .execute()
    },
  }
}
