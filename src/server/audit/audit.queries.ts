import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

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

/** Selects audit entries with their texts about users. A text is missing if it was erased with the user's data. */
export function auditEntries(db: Db | Tx) {
  return db
    .selectFrom('admin_action as a')
    .leftJoin('admin_action_words as w', 'w.line_id', 'a.id')
    .select(['a.id', 'a.seq', 'a.at_ms', 'a.who', 'a.what', 'a.target', 'a.outcome', 'a.request_id', 'a.address'])
    .select((is) => [
      is.fn.coalesce('w.reason', 'a.reason').as('reason'),
      is.case().when('w.line_id', 'is', null).then(is.ref('a.before')).else(is.ref('w.before')).end().as('before'),
      is.case().when('w.line_id', 'is', null).then(is.ref('a.after')).else(is.ref('w.after')).end().as('after'),
    ])
}

/** Lists entries, newest first. */
export async function listActions(db: Db, limit: number): Promise<RecordedAction[]> {
  const rows = await auditEntries(db).orderBy('a.at_ms', 'desc').orderBy('a.id', 'desc').limit(limit).execute()
  return rows.map(({ at_ms: at, id: _id, ...row }) => ({ ...row, at: instant(at) }))
}
