import { sql } from 'kysely'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const WINDOW_MS = 90 * DAY_MS

/** Counts the posted adjustments out of goodwill: all of them, and the ones of the last 90 days. */
export async function countGoodwill(db: Db, now: Instant): Promise<{ payments: number; payments_90_days: number }> {
  const { rows } = await sql<{ payments: number; payments_90_days: number }>`
    select count(*)::int4 as payments,
      count(*) filter (where posted_ms > ${later(now, -WINDOW_MS)}::int8)::int4 as payments_90_days
    from correction where kind = 'goodwill' and state = 'posted'`.execute(db)
  return rows[0] ?? { payments: 0, payments_90_days: 0 }
}
