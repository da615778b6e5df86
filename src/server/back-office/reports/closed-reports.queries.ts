import { sql } from 'kysely'
import { money, moneyNumber } from '#core/money/money.ts'
import type { ReportPeriod } from '#core/reports/report-period.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface ClosedReport {
  readonly id: string
  readonly zone: string
  readonly from: number
  readonly to: number
  readonly start: Instant
  readonly end: Instant
  /** The figures as JSON. `sha256` is the hash of this text. */
  readonly figures: string
  readonly sha256: string
  readonly closedBy: string
  readonly closedAt: Instant
}

/** Finds the stored figures of a period. Returns null when no staff member has closed the period. */
export async function findClosed(tx: Db | Tx, { from, to, zone }: ReportPeriod): Promise<ClosedReport | null> {
  const row = await tx
    .selectFrom('report_period')
    .selectAll()
    .where('zone', '=', zone)
    .where('from_day', '=', from)
    .where('to_day', '=', to)
    .executeTakeFirst()
  return row === undefined ? null : toClosed(row)
}

/** Adds a closed period. Returns false when another request closed the period. */
export async function insertClosed(tx: Tx, report: ClosedReport): Promise<boolean> {
  const { id, zone, from, to, start, end, figures, sha256, closedBy, closedAt } = report
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('report_period')
    .values({
      id,
      zone,
      from_day: from,
      to_day: to,
      start_ms: start,
      end_ms: end,
      figures,
      sha256: Buffer.from(sha256, 'hex'),
      closed_by: closedBy,
      closed_ms: closedAt,
    })
    .onConflict((conflict) => conflict.columns(['zone', 'from_day', 'to_day']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Finds the closed period whose last comparison is the oldest, if that was before `before`. A period that was never
 * compared counts from its closing.
 */
export async function findUnchecked(db: Db, before: Instant): Promise<ClosedReport | null> {
  const row = await db
    .selectFrom('report_period as p')
    .leftJoin('report_check as c', (join) => join.on(sql<boolean>`c.subject = p.id::text`))
    .selectAll('p')
    .where(sql<boolean>`coalesce(c.checked_ms, p.closed_ms) < ${before}::int8`)
    .orderBy(sql`coalesce(c.checked_ms, p.closed_ms)`)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toClosed(row)
}

/**
 * Stores the difference (in cents) that the latest comparison with the ledger found. `subject` is the id of a closed
 * period, or `now` for all totals.
 */
export async function storeCheck(
  db: Db | Tx,
  { subject, difference, at }: { readonly subject: string; readonly difference: bigint; readonly at: Instant },
): Promise<void> {
  const values = { difference, checked_ms: at }
  await db
    .insertInto('report_check')
    .values({ subject, ...values })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(values))
    .execute()
}

/**
 * Reads by how much a closed period differed from the ledger at the last comparison. Returns null before the first
 * comparison.
 */
export async function findDifference(db: Db, id: string): Promise<number | null> {
  const row = await db.selectFrom('report_check').select('difference').where('subject', '=', id).executeTakeFirst()
  return row === undefined ? null : moneyNumber(money(row.difference))
}

/** Counts the subjects whose latest comparison found a difference, and returns the largest difference in cents. */
export async function readChecks(db: Db): Promise<{ readonly count: number; readonly amount: number }> {
  const row = await db
    .selectFrom('report_check')
    .select((of) => [of.fn.countAll<bigint>().as('count'), of.fn.max('difference').as('amount')])
    .where('difference', '<>', 0n)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), amount: Number(row.amount ?? 0) }
}

interface Row {
  readonly id: string
  readonly zone: string
  readonly from_day: number
  readonly to_day: number
  readonly start_ms: bigint
  readonly end_ms: bigint
  readonly figures: string
  readonly sha256: Uint8Array
  readonly closed_by: string
  readonly closed_ms: bigint
}

function toClosed(row: Row): ClosedReport {
  return {
    id: row.id,
    zone: row.zone,
    from: row.from_day,
    to: row.to_day,
    start: instant(row.start_ms),
    end: instant(row.end_ms),
    figures: row.figures,
    sha256: Buffer.from(row.sha256).toString('hex'),
    closedBy: row.closed_by,
    closedAt: instant(row.closed_ms),
  }
}
