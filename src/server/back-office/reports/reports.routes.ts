import type { FastifyInstance } from 'fastify'
import type { ReportBreakdown, ReportDimension, ReportSummary } from '#contract/back-office/reports.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type PeriodDays, periodDays, type ReportPeriod } from '#core/reports/report-period.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { registerCsvFile } from '#server/back-office/api/register-csv-file.ts'
import type { RegisterStaff, StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import { closeReport, readFigures } from '#server/back-office/reports/close-report.ts'
import { type ClosedReport, findClosed, findDifference } from '#server/back-office/reports/closed-reports.queries.ts'
import { inSnapshot, makeBreakdown, makeSummary } from '#server/back-office/reports/make-report.ts'
import { breakdownCsv, summaryCsv } from '#server/back-office/reports/report-csv.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls for reports about a period. The report about a closed period has its stored figures. */
export function reportsRoutes(app: FastifyInstance, register: RegisterStaff, parts: StaffCallParts): void {
  const { ctx } = parts
  register(staffCalls.staffReportSummary, ({ query }) => summaryOf(ctx, query))
  register(staffCalls.staffReportBy, ({ params: { dimension }, query }) => breakdownOf(ctx, dimension, query))
  register(staffCalls.staffCloseReport, async ({ body, actor }) => {
    const period = periodDays(body, ctx.now())
    if (!period.ok) return period
    const closed = await closeReport(ctx, { period: period.value, actor })
    return closed.ok ? ok(closedReply(closed.value)) : closed
  })

  registerCsvFile(app, staffCalls.staffReportSummary, parts, async ({ query, hasMark }) => {
    const found = await summaryOf(ctx, query)
    return found.ok ? counted(found.value, summaryCsv(found.value, hasMark)) : found
  })
  registerCsvFile(app, staffCalls.staffReportBy, parts, async ({ params: { dimension }, query, hasMark }) => {
    const found = await breakdownOf(ctx, dimension, query)
    return found.ok ? counted(found.value, breakdownCsv(found.value, hasMark)) : found
  })
}

/**
 * Refuses a file while transfers are still being counted, because a file, unlike the page, cannot say that its figures
 * are incomplete.
 */
function counted<T>({ counted_until: countedUntil }: { readonly counted_until: string | null }, lines: T) {
  return countedUntil === null ? ok(lines) : refuse('report_counting')
}

type PeriodRefusal = 'period_invalid' | 'period_too_long'

async function summaryOf(ctx: Ctx, query: ReportPeriod): Promise<Result<ReportSummary, PeriodRefusal>> {
  return withPeriod(ctx, query, async (period, closed) => {
    if (closed) {
      const { summary } = readFigures(closed)
      const found = await findDifference(ctx.db, closed.id)
      return { ...summary, difference: found ?? summary.difference, closed: closedReply(closed) }
    }
    const now = ctx.now()
    return { ...(await inSnapshot(ctx.db, (tx) => makeSummary(tx, period, now))), closed: null }
  })
}

async function breakdownOf(
  ctx: Ctx,
  dimension: ReportDimension,
  query: ReportPeriod,
): Promise<Result<ReportBreakdown, PeriodRefusal>> {
  return withPeriod(ctx, query, async (period, closed) => {
    if (closed) return { ...readFigures(closed).by[dimension], closed: closedReply(closed) }
    const now = ctx.now()
    return { ...(await inSnapshot(ctx.db, (tx) => makeBreakdown(tx, { dimension, period, now }))), closed: null }
  })
}

async function withPeriod<T>(
  ctx: Ctx,
  query: ReportPeriod,
  read: (period: PeriodDays, closed: ClosedReport | null) => Promise<T>,
): Promise<Result<T, PeriodRefusal>> {
  const period = periodDays(query, ctx.now())
  if (!period.ok) return period
  return ok(await read(period.value, await findClosed(ctx.db, period.value)))
}

function closedReply({ closedAt, closedBy, sha256 }: ClosedReport) {
  return { at: toIso(closedAt), by: closedBy, sha256 }
}
