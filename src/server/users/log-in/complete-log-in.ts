import type { Ctx } from '#server/platform/context/context.ts'
import type { Entry, Opened, SignIns } from '#server/users/sessions/record-log-in.ts'
import { dropTickets, takeTicket } from '#server/users/security/tickets.ts'

/**
 * Opens the session of somebody who has proved all there is to prove. The ticket of the first step, where there was one,
 * is used up; null when somebody else was faster, or the account may not sign in any more.
 */
export async function enter(
  { ctx, signIns }: { readonly ctx: Ctx; readonly signIns: SignIns },
  entry: Entry,
  ticket: string | null,
): Promise<Opened | null> {
  const { userId } = entry
  const opened = await ctx.db.transaction().execute(async (tx) => {
    // Whoever is blocked meanwhile stays out, and a session opened now would end with the block.
    const account = await tx
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', userId)
      .where('sign_in_blocked', '=', false)
      .forShare()
      .executeTakeFirst()
    if (!account) return null
    if (ticket !== null && (await takeTicket(ctx, tx, ticket, 'second_step')) === null) return null
    await dropTickets(tx, userId)
    return signIns.open(tx, entry)
  })
  if (opened !== null) signIns.told(opened, entry)
  return opened
}
