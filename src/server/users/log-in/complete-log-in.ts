import type { Ctx } from '#server/platform/context/context.ts'
import type { Entry, Opened, LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { dropTickets, takeTicket } from '#server/users/security/tickets.ts'

/**
 * Opens the session of a user who has passed every step, and consumes the ticket of the first step, if there was one.
 * Returns null when the ticket was already used. A blocked user can use the session only for leaving.
 */
export async function completeLogIn(
  { ctx, signIns }: { readonly ctx: Ctx; readonly signIns: LogInRecorder },
  entry: Entry,
  ticket: string | null,
): Promise<Opened | null> {
  const { userId } = entry
  const opened = await ctx.db.transaction().execute(async (tx) => {
    // The lock makes a concurrent block wait, and the block then ends this session. A concurrent log-in waits too, as both remove each other's
    // tickets.
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
