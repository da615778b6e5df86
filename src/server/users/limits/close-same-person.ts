import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import {
  findExclusionOfOthers,
  insertExcludedPerson,
  insertSameExclusion,
} from '#server/users/limits/excluded-person.queries.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import type { PersonTrait } from '#server/users/limits/person-traits.ts'

/**
 * Closes the account of a user who is excluded under another account, as if they had excluded themselves, until the same day. The traits
 * must be proven, or else anyone could find out who is excluded. Traits that an excluded user adds are remembered as well. Runs first in its transaction, because it locks the account before the
 * balance. Returns whether the account is newly closed; the caller then announces that.
 *
 * A register of excluded people outside this site would be asked here.
 */
export async function closeSamePerson(
  ctx: Ctx,
  tx: Tx,
  { userId, traits }: { readonly userId: string; readonly traits: readonly PersonTrait[] },
): Promise<boolean> {
  const like = await findExclusionOfOthers(tx, ctx.vault, { userId, traits })
  let isClosed = false
  if (like !== null) {
    await lockLimits(tx, userId)
    isClosed = await insertSameExclusion(tx, { userId, id: ctx.newId(), like })
  }
  const own = await findBreak(tx, userId)
  if (own?.kind === 'exclusion') await insertExcludedPerson(tx, ctx.vault, { userId, breakId: own.id, traits })
  return isClosed
}
