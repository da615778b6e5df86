import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An entry of the audit log. */
export interface RecordedAction {
  readonly at: Instant
  readonly who: string
  readonly what: string
  readonly target: string
  readonly reason: string
  readonly outcome: string
  readonly before: unknown
  readonly after: unknown
}

/** Lists entries, newest first. */
export async function listActions(db: Db, limit: number): Promise<RecordedAction[]> {
  const rows = await db
    .selectFrom('admin_action')
    .selectAll()
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at_ms: at, id: _id, ...row }) => ({ ...row, at: instant(at) }))
}
