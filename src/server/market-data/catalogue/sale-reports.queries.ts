import { sql } from 'kysely'
import { basisPoints, percentNumber } from '#core/money/money.ts'
import { MIN_DAYS } from '#core/orders/sale/calibration/judge-calibration.ts'
import type { SaleTerms } from '#core/orders/sale/sale-terms.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** 7 days: an older calibration report does not allow an offer to sell orders back. */
const REPORT_COUNTS_MS = 7 * DAY_MS

/**
 * The reason why the newest calibration of a symbol on this installation's tick log does not allow these terms for
 * selling back.
 */
export type ReportRefusal = 'sale_report_missing' | 'sale_days_missing' | 'sale_report_unfair' | 'sale_fee_low'

/**
 * Checks the newest calibration report of a symbol for this `scale`. The report must be recent, cover enough days and
 * be fair, and its smallest fee must not exceed `fee`.
 */
export async function checkSaleReport(
  db: Db,
  code: string,
  { scale, fee }: SaleTerms,
  at: Instant,
): Promise<Result<undefined, ReportRefusal>> {
  const { rows } = await sql<{ is_recent: boolean; is_fair: boolean; days: number; min_fee: number }>`
    select r.made_ms > ${at - REPORT_COUNTS_MS}::int8 as is_recent, r.is_fair, r.days, r.min_fee
    from sale_report r join market_symbol s on s.id = r.symbol_id
    where s.code = ${code} and r.scale = ${scale}::int4 order by r.made_ms desc limit 1`.execute(db)
  const [report] = rows
  const field = 'value'
  if (report?.is_recent !== true) return refuse('sale_report_missing', { field })
  if (report.days < MIN_DAYS)
    return refuse('sale_days_missing', { field, params: { days: report.days, least: MIN_DAYS } })
  if (!report.is_fair) return refuse('sale_report_unfair', { field })
  if (report.min_fee > fee)
    return refuse('sale_fee_low', { field, params: { fee: percentNumber(basisPoints(report.min_fee)) } })
  return ok()
}

/** A calibration report of a symbol as a row of the database. */
export interface SaleReportRow {
  readonly symbolId: number
  readonly scale: number
  readonly reportedAt: Instant
  readonly from: Instant
  readonly days: number
  readonly prices: number
  /** The smallest fee at which no way of selling gains on average, in basis points of the stake. */
  readonly minFee: number
  readonly isFair: boolean
  readonly report: string
}

export async function insertSaleReport(db: Db, row: SaleReportRow): Promise<void> {
  await db
    .insertInto('sale_report')
    .values({
      symbol_id: row.symbolId,
      scale: row.scale,
      made_ms: row.reportedAt,
      from_ms: row.from,
      days: row.days,
      prices: row.prices,
      min_fee: row.minFee,
      is_fair: row.isFair,
      report: row.report,
    })
    .execute()
}

/** Whether a symbol has a report of this scale that was made at or after `since`. */
export async function hasReportSince(db: Db, symbolId: number, scale: number, since: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('sale_report')
    .select('made_ms')
    .where('symbol_id', '=', symbolId)
    .where('scale', '=', scale)
    .where('made_ms', '>=', BigInt(since))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
