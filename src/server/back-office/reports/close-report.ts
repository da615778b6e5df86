import { createHash } from 'node:crypto'
import { REPORT_DIMENSIONS, type ReportDimension } from '#contract/back-office/reports.ts'
import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { closableAt, type PeriodDays } from '#core/reports/report-period.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, minuteText, toIso } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { type ClosedReport, findClosed, insertClosed } from '#server/back-office/reports/closed-reports.queries.ts'
import {
  type Breakdown,
  inSnapshot,
  makeBreakdown,
  makeSummary,
  type Summary,
} from '#server/back-office/reports/make-report.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** The figures of a closed period, in the form in which they are stored. */
export interface ClosedFigures {
  readonly summary: Summary
  readonly by: Readonly<Record<ReportDimension, Breakdown>>
}

export type CloseRefusal = 'period_open' | 'period_closed' | 'report_differs'

/**
 * Closes a period: stores its figures with their hash, for ever. Refuses until an hour after the end of the period, and
 * while the totals are incomplete or differ from the ledger.
 */
export async function closeReport(
  ctx: Ctx,
  { period, actor }: { readonly period: PeriodDays; readonly actor: Actor },
): Promise<Result<ClosedReport, CloseRefusal>> {
  const now = ctx.now()
  const from = closableAt(period)
  const open = refuse('period_open', { params: { time: minuteText(from) } })
  if (now < from) return open
  if ((await findClosed(ctx.db, period)) !== null) return refuse('period_closed')
  const figures = await inSnapshot(ctx.db, (tx) => makeFigures(tx, period, now))
  if (figures.summary.counted_until !== null) return open
  if (figures.summary.difference !== 0) return refuse('report_differs')
  const closed = toClosed(JSON.stringify(figures), { id: ctx.newId(), period, closedBy: actor.who, closedAt: now })
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await insertClosed(tx, closed))) return refuse('period_closed')
    await recordAction(tx, ctx, actor, {
      target: `${civilDayText(period.from)} – ${civilDayText(period.to)} ${period.zone}`,
      outcome: 'done',
      after: { sha256: closed.sha256, closed_at: toIso(now) },
    })
    return ok(closed)
  })
}

async function makeFigures(tx: Tx, period: PeriodDays, now: Instant): Promise<ClosedFigures> {
  const by = {} as Record<ReportDimension, Breakdown>
  for (const dimension of REPORT_DIMENSIONS) by[dimension] = await makeBreakdown(tx, { dimension, period, now })
  return { summary: await makeSummary(tx, period, now), by }
}

function toClosed(
  figures: string,
  {
    period: { zone, from, to, start, end },
    ...closing
  }: Pick<ClosedReport, 'id' | 'closedBy' | 'closedAt'> & {
    readonly period: PeriodDays
  },
): ClosedReport {
  const sha256 = createHash('sha256').update(figures).digest('hex')
  return { zone, from, to, start, end, figures, sha256, ...closing }
}

/** Parses the stored figures of a closed period. They need no validation, because the server itself wrote this text. */
export function readFigures({ figures }: Pick<ClosedReport, 'figures'>): ClosedFigures {
  return JSON.parse(figures) as ClosedFigures
}
