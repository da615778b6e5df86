import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Entry, Opened, LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { hasPasskey } from '#server/users/security/factors.queries.ts'
import { dropTickets, takeTicket } from '#server/users/security/tickets.ts'

/** The ticket of the first step of a log-in, or the passkey that signed the challenge. */
type Proof = { readonly ticket: string } | { readonly passkeyId: string }

/**
 * Opens the session of a user who has passed every step, and consumes the ticket of the first step, if there was one.
 * Returns null when the ticket was already used, or when the passkey no longer exists, for example after a recovery.
 * With this session, a blocked user can only withdraw all money.
 */
export async function completeLogIn(
  { ctx, signIns }: { readonly ctx: Ctx; readonly signIns: LogInRecorder },
  entry: Entry,
  proof: Proof,
): Promise<Opened | null> {
  const { userId } = entry
  const opened = await ctx.db.transaction().execute(async (tx) => {
    // The lock makes a concurrent block by staff wait, and the block then ends this session. It also makes a concurrent
    // log-in of the user wait, because each log-in removes the tickets of the other.
    const account = await tx
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!account) return null
    if (!(await isStillValid(ctx, tx, userId, proof))) return null
    await dropTickets(tx, userId)
    return signIns.open(tx, entry)
  })
  if (opened !== null) signIns.notifyLogIn(opened, entry)
  return opened
}

/** Returns whether a concurrent transaction has not made the proof invalid. Consumes a ticket. */
async function isStillValid(ctx: Ctx, tx: Tx, userId: string, proof: Proof): Promise<boolean> {
  if ('ticket' in proof) return (await takeTicket(ctx, tx, proof.ticket, 'second_step')) !== null
  return hasPasskey(tx, { userId, id: proof.passkeyId })
}
