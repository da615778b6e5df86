import { sql } from 'kysely'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Marks a statement after which the transaction may take long: see `guarded-client.ts`. */
export const LONG_READ_MARK = '/* long read */'

/**
 * Settings for the rest of a transaction that reads much of a large table. Such a read may take longer than other
 * statements (an hour at most) and uses one core. The amount of data decides the best plan and changes each time, so no
 * plan is cached. Compiling (`jit`) would take a second, as long as reading two million transfers. `plans` are further
 * planner settings by name.
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
