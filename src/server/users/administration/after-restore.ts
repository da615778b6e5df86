import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { endAllKeys } from '#server/users/keys/keys.queries.ts'
import { deleteAllCodes } from '#server/users/accounts/one-time-codes.queries.ts'
import { stopAllRecoveries } from '#server/users/recovery/recovery.queries.ts'
import { deleteAllTickets } from '#server/users/security/tickets.ts'
import { deleteAllResets } from '#server/users/password-reset/password-reset.queries.ts'
import { deleteAllSessions } from '#server/users/sessions/sessions.queries.ts'

/**
 * Ends all sessions, keys, tickets, codes, password resets and recoveries in a restored database. Recoveries end because a user may have
 * stopped one after the backup was made. Returns the number of sessions.
 */
export async function endUsersAfterRestore({ now }: Pick<Ctx, 'now'>, tx: Tx): Promise<number> {
  await stopAllRecoveries(tx, now())
  const sessions = await deleteAllSessions(tx)
  await endAllKeys(tx)
  await deleteAllTickets(tx)
  await deleteAllCodes(tx)
  await deleteAllResets(tx)
  return sessions
}
