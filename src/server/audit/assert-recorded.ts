import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { assert } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * Asserts that a call that changes something left exactly one entry in the audit log. The tests run it after every
 * successful call of the back office, so it covers new calls too.
 */
export async function expectRecorded(db: Db, call: StaffCall, requestId: string): Promise<void> {
  // Calls before log-in have no staff member yet. Their use cases record the entry themselves.
  if (call.method === 'GET' || call.may === 'anyone' || call.changesNothing === true) return
  const lines = await db
    .selectFrom('admin_action')
    .select('id')
    .where('request_id', '=', requestId)
    .where('outcome', 'in', ['done', 'looked'])
    .execute()
  assert(lines.length === 1, `${call.method} ${call.path} must write one audit entry, but wrote ${lines.length}`)
}
