import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { assert } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * In tests, of every call that succeeded: a change left exactly one line in the log of actions. So it is proved of each
 * call that any test makes, whoever adds it.
 */
export async function expectRecorded(db: Db, call: StaffCall, requestId: string): Promise<void> {
  // Before sign-in there is nobody to be named; those use cases record for themselves who it turned out to be.
  if (call.method === 'GET' || call.may === 'anyone' || call.changesNothing === true) return
  const lines = await db
    .selectFrom('admin_action')
    .select('id')
    .where('request_id', '=', requestId)
    .where('outcome', 'in', ['done', 'looked'])
    .execute()
  assert(lines.length === 1, `${call.method} ${call.path} leaves one line in the log of actions, not ${lines.length}`)
}
