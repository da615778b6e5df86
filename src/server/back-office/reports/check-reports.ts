import { DAY_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import { REPORT_LINES, REPORT_ACCOUNTS } from '#core/reports/report-lines.ts'
import { findUnchecked, storeCheck, type ClosedReport } from '#server/back-office/reports/closed-reports.queries.ts'
import { readFigures } from '#server/back-office/reports/close-report.ts'
import { inSnapshot, makeFiguresFromTransfers, readDifference } from '#server/back-office/reports/make-report.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

const EVERY_MS = 10 * MINUTE_MS
/** Closed periods are compared with the transfers once a week. */
const COMPARE_AFTER_MS = 7 * DAY_MS
/** The name under which the result for all totals is stored. The result for a closed period has the period's id. */
const NOW = 'now'

/** Compares the totals with the balances, and closed periods with their transfers. Returns a function that stops it. */
export function checkReportsPeriodically(ctx: Ctx): () => Promise<void> {
  return runPeriodically(ctx, {
    pauseMs: () => EVERY_MS,
    run: () => checkReports(ctx),
    failure: 'cannot compare the reports with the ledger',
  })
}

/** Runs one round: compares all totals, and at most one closed period that was not compared for a week. */
export async function checkReports(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const difference = await inSnapshot(ctx.db, (tx) => readDifference(tx, now))
  if (difference !== null) await storeCheck(ctx.db, { subject: NOW, difference, at: now })
  const closed = await findUnchecked(ctx.db, later(now, -COMPARE_AFTER_MS))
  if (closed === null) return
  await storeCheck(ctx.db, { subject: closed.id, difference: await compareClosed(ctx, closed), at: now })
}

/**
 * Returns by how many cents the stored lines and positions of a closed period differ from the transfers, as the sum of
 * all differences.
 */
async function compareClosed(ctx: Ctx, closed: ClosedReport): Promise<bigint> {
  const counted = await inSnapshot(ctx.db, (tx) => makeFiguresFromTransfers(tx, closed))
  const { summary } = readFigures(closed)
  const difference = (['people', 'bots'] as const).flatMap((whose) => [
    ...REPORT_LINES.map((line) => summary.lines[whose][line] - counted.lines[whose][line]),
    ...REPORT_ACCOUNTS.flatMap((account) => {
      const [stored, found] = [summary, counted].map(({ positions }) =>
        positions.find((one) => one.account === account),
      )
      return (['begin', 'end'] as const).map((when) => (stored?.[when][whose] ?? 0) - (found?.[when][whose] ?? 0))
    }),
  ])
  return difference.reduce((sum, distance) => sum + BigInt(Math.round(Math.abs(distance) * 100)), 0n)
}
