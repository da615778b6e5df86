import type { Tx } from '#server/platform/database/tables.ts'
import { endAllKeys } from '#server/users/keys/keys.queries.ts'
import { deleteAllCodes } from '#server/users/accounts/one-time-codes.queries.ts'
import { deleteAllTickets } from '#server/users/security/tickets.ts'
import { deleteAllSessions } from '#server/users/sessions/sessions.queries.ts'

/** Ends all sessions, keys and codes of a restored database. Returns the number of sessions. */
export async function endUsersAfterRestore(tx: Tx): Promise<number> {
  const sessions = await deleteAllSessions(tx)
  await endAllKeys(tx)
  await deleteAllTickets(tx)
  await deleteAllCodes(tx)
  return sessions
}
