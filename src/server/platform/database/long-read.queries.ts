import { sql } from 'kysely'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** How a connection sees that what follows may take long: see `guarded-client.ts`. */
export const LONG_READ_MARK = '/* long read */'

/**
 * Settings for the rest of this transaction, which reads a good part of a large table: it takes longer than any other statement may
 * (an hour at most) and is in no hurry, so one core is enough. How much there is to read decides how, and is another thing
 * each time, so nothing is planned ahead. Compiling (`jit`) takes a second, as long as reading two million transfers.
 * `plans` are settings of the planner besides, by their names.
 */
export async function prepareLongRead(tx: Tx, plans: Readonly<Record<string, 'on' | 'off'>> = {}): Promise<void> {
  const settings = {
    statement_timeout: String(HOUR_MS),
    max_parallel_workers_per_gather: '0',
    plan_cache_mode: 'force_custom_plan',
    jit: 'off',
    ...plans,
  }
  await sql`${sql.raw(LONG_READ_MARK)} select set_config(key, value, true) from jsonb_each_text(${JSON.stringify(settings)}::jsonb)`.execute(
    tx,
  )
}
