import type { Ctx } from '#server/platform/context/context.ts'
import type { Entry, Opened, LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { dropTickets, takeTicket } from '#server/users/security/tickets.ts'

/**
 * Opens the session of a user who has passed every step, and consumes the ticket of the first step, if there was one.
 * Returns null when the ticket was already used. With this session, a blocked user can only withdraw all money.
 */
export async function completeLogIn(
  { ctx, signIns }: { readonly ctx: Ctx; readonly signIns: LogInRecorder },
  entry: Entry,
  ticket: string | null,
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
    if (ticket !== null && (await takeTicket(ctx, tx, ticket, 'second_step')) === null) return null
    await dropTickets(tx, userId)
    return signIns.open(tx, entry)
  })
  if (opened !== null) signIns.notifyLogIn(opened, entry)
  return opened
}
