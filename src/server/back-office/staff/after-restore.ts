import type { Tx } from '#server/platform/database/tables.ts'
import { deleteAllStaffTickets } from '#server/back-office/staff/staff-tickets.ts'
import { deleteAllStaffSessions } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** In a database of an earlier time nobody of the staff is signed in; answers how many sessions ended. */
export async function endStaffAfterRestore(tx: Tx): Promise<number> {
  const ended = await deleteAllStaffSessions(tx)
  await deleteAllStaffTickets(tx)
  return ended
}
