import { sql } from 'kysely'
import type { QueueFigures } from '#contract/back-office/money-queues.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { DAY_MS, instant, type Instant, toIso } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const MEDIAN_OF_MS = 7 * DAY_MS
/** The median uses the newest 10,000 decisions, because more rows would cost more and hardly change it. */
const MEDIAN_OF_ROWS = 10_000

/** For each queue: its table, the amount to sum, and which decisions count as made by staff. */
const QUEUES = {
  deposit: { table: sql`deposit`, amount: sql.ref('credited'), answered: sql`status <> 2 and decided_ms > created_ms` },
  withdrawal: { table: sql`withdrawal`, amount: sql.ref('amount'), answered: sql`state in ('paid', 'returned')` },
} as const
type Queue = keyof typeof QUEUES

/**
 * Computes the figures that are shown above a queue: about pending rows, and about decisions in the last 7 days.
 * Indexes exist for both.
 */
export async function queueFigures(db: Db, queue: Queue, now: Instant): Promise<Omit<QueueFigures, 'second_person'>> {
  const { table, amount, answered } = QUEUES[queue]
  const { rows } = await sql<Row>`
    select w.waiting, w.total, w.oldest, m.median
    from (
      select count(*)::int8 as waiting, coalesce(sum(${amount}), 0)::int8 as total, min(created_ms) as oldest
      from ${table} where status = 2
    ) w, (
      select round(percentile_cont(0.5) within group (order by took))::int8 as median
      from (
        select decided_ms - created_ms as took from ${table}
        where ${answered} and decided_ms >= ${now - MEDIAN_OF_MS}::int8
        order by decided_ms desc limit ${MEDIAN_OF_ROWS}
      ) recent
    ) m`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate query must return a row')
  return {
    waiting: Number(row.waiting),
    sum: moneyNumber(money(row.total)),
    oldest_at: row.oldest === null ? null : toIso(instant(row.oldest)),
    median_ms: row.median === null ? null : Number(row.median),
  }
}

interface Row {
  waiting: bigint
  total: bigint
  oldest: bigint | null
  median: bigint | null
}

/** Counts pending rows by a partial index that contains only pending rows. */
export async function countWaiting(db: Db, queue: Queue): Promise<number> {
  const { rows } = await sql<{ waiting: bigint }>`
    select count(*)::int8 as waiting from ${QUEUES[queue].table} where status = 2`.execute(db)
  return Number(rows[0]?.waiting ?? 0)
}
