import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import {
  addTransfers,
  findFirstTransfer,
  forgetTransfers,
  REPORTS,
} from '#server/back-office/reports/report-totals.queries.ts'
import { OF_MONEY } from '#server/back-office/reports/report-flows.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeDay, countByDay, type DayCount } from '#server/platform/jobs/daily-rollup.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

const COUNT_EVERY_MS = 15_000
/** 3 hours: the longest span counted in one transaction, so that a first start with years of transfers delays no other work. */
const PORTION_MS = 3 * HOUR_MS

/** Keeps the totals for reports up to date. Returns a function that stops it. */
export function countReportsPeriodically(ctx: Ctx): () => Promise<void> {
  let isBehind = true
  return runPeriodically(ctx, {
    pauseMs: () => (isBehind ? 50 : COUNT_EVERY_MS),
    run: async () => {
      isBehind = await countReports(ctx)
    },
    failure: 'cannot count the totals for reports',
  })
}

/**
 * Counts one portion of the transfers, or recounts and closes a day. Returns whether more transfers wait to be counted.
 */
export async function countReports(ctx: Ctx): Promise<boolean> {
  const first = await findFirstTransfer(ctx.db)
  const totals = totalsFrom((first ?? ctx.now()) - DAY_MS)
  if (await countByDay(ctx, totals, PORTION_MS)) return true
  await closeDay(ctx, totals)
  return false
}

function totalsFrom(first: number): DayCount {
  return {
    name: REPORTS,
    rows: sql`from transfer t where ${OF_MONEY}`,
    time: sql.ref('created_ms'),
    // A portion is a span of time, because the BRIN index of transfers cannot find the row after a given number of
    // rows.
    nextEnd: ({ from, until, portion }) => (until - from > portion ? from + portion : null),
    firstMs: () => first,
    add: addTransfers,
    counted: (day) => sql`select sum(count)::int8 from report_day where dimension = 'all' and day = ${day}::int4`,
    forget: forgetTransfers,
  }
}
