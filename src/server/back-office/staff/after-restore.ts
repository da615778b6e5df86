import type { Tx } from '#server/platform/database/tables.ts'
import { deleteAllStaffTickets } from '#server/back-office/staff/staff-tickets.ts'
import { deleteAllStaffSessions } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** Ends all staff sessions of a restored database. Returns the number of sessions. */
export async function endStaffAfterRestore(tx: Tx): Promise<number> {
  const sessions = await deleteAllStaffSessions(tx)
  await deleteAllStaffTickets(tx)
  return sessions
}
