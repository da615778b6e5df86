import type { Tx } from '#server/platform/database/tables.ts'
import { deleteAllCodes } from '#server/users/accounts/one-time-codes.queries.ts'
import { deleteAllTickets } from '#server/users/security/tickets.ts'
import { deleteAllSessions } from '#server/users/sessions/sessions.queries.ts'

/** In a database of an earlier time nobody is signed in, and no code that was sent opens anything; answers how many sessions ended. */
export async function endUsersAfterRestore(tx: Tx): Promise<number> {
  const ended = await deleteAllSessions(tx)
  await deleteAllTickets(tx)
  await deleteAllCodes(tx)
  return ended
}
