import { sql } from 'kysely'
import { withoutRules } from '#test/support/bare-rows.ts'
import type { TestDatabase } from '#test/support/database.ts'

const TIMES = {
  self_limit_change: ['asked_ms', 'ready_ms', 'lapses_ms'],
  self_break: ['from_ms', 'until_ms'],
  self_return: ['asked_ms', 'confirmed_ms'],
}

/**
 * Moves all changes of own limits and all breaks `ms` into the past. It switches the triggers off, because they refuse
 * such changes.
 */
export async function passLimitTime(database: TestDatabase, ms: number): Promise<void> {
  await withoutRules(database, async (tx) => {
    for (const [table, columns] of Object.entries(TIMES)) {
      const shifted = columns.map((column) => `${column} = ${column} - ${ms}`)
      await sql.raw(`update ${table} set ${shifted.join(', ')}`).execute(tx)
    }
  })
}
