import type { Ctx } from '#server/platform/context/context.ts'
import { insertSameExclusion, listSamePeople, type SamePerson } from '#server/users/limits/excluded-person.queries.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import { notifyBreak } from '#server/users/limits/notify-break.ts'

/**
 * Closes the accounts that share a trait (a contact or payment details) with an excluded user. Each such account gets a
 * separate exclusion that ends at the same time as the user's exclusion. If `userId` is given, considers only this
 * account and accounts that share a trait with it. Then considers the accounts that share a trait with a newly closed
 * account. Each account is closed in a separate transaction, so that no transaction locks two users. If the server
 * crashes in between, a periodic job closes the remaining accounts.
 *
 * The check of an external register of excluded people would also belong in this function.
 */
export async function closeSamePeople(ctx: Ctx, userId: string | null): Promise<void> {
  const waiting: (string | null)[] = [userId]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const same of await listSamePeople(ctx.db, next)) {
      if (await close(ctx, same)) waiting.push(same.userId)
    }
  }
}

async function close(ctx: Ctx, { userId, like }: SamePerson): Promise<boolean> {
  const isClosed = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    if (!(await insertSameExclusion(tx, { userId, id: ctx.newId(), like }))) return false
    await keepTraits(tx, ctx.vault, userId)
    return true
  })
  if (isClosed) notifyBreak(ctx, userId)
  return isClosed
}
