import type { Updateable } from 'kysely'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { AppUserTable } from '#server/platform/database/tables/users.ts'
import { type Account, lockAccount, updateAccount, type UserKey } from '#server/users/accounts/users.queries.ts'
import { changeMeasures, type MeasureRefusal, type WantedMeasure } from '#server/users/measures/change-measures.ts'

/** An edit of an account by staff: which account, who edits it, and why. */
export interface Edit {
  readonly user: UserKey
  /**
   * The version that the staff member saw. The operator CLI leaves it out, because it always edits the current version.
   */
  readonly seenVersion?: number | undefined
  readonly reason: string
  readonly actor: Actor
}

/**
 * An edit that can take a right away. On a live site one staff member alone can do this for a limited time, in a demo
 * without limit.
 */
export type MeasureEdit = Edit & { readonly mode: 'demo' | 'live' }

/** The changed columns or measures, and the same change for the audit log. */
export interface Change {
  readonly set?: Updateable<AppUserTable>
  readonly measures?: { readonly wanted: readonly WantedMeasure[]; readonly mode: 'demo' | 'live' }
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** Additional changes in the same transaction. */
  readonly alongside?: (tx: Tx, account: Account) => Promise<unknown>
}

export type EditRefusal = 'user_unknown' | 'changed_meanwhile' | MeasureRefusal

/** The account before the change, with its new version. */
export type Edited = Account & { readonly nextVersion: number }

/** Applies a change by staff: locks the account, increments its version, and records the change under the user's id. */
export async function editUser(
  ctx: Ctx,
  { user, seenVersion, reason, actor }: Edit,
  decide: (account: Account) => Change,
): Promise<Result<Edited, EditRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, user)
    if (!account) return refuse('user_unknown')
    const { id, username, version } = account
    if (seenVersion !== undefined && seenVersion !== version)
      return staleWriteRefusal(tx, { target: id, seenVersion, actor })
    const { set = {}, measures, before, after, alongside } = decide(account)
    if (measures !== undefined) {
      const changed = await changeMeasures(ctx, tx, { ...measures, userId: id, staffId: actor.staffId })
      if (!changed.ok) return changed
    }
    const nextVersion = version + 1
    await updateAccount(tx, id, { ...set, version: nextVersion })
    await alongside?.(tx, account)
    await recordAction(tx, ctx, actor, {
      target: id,
      reason,
      outcome: 'done',
      before: { username, version, ...before },
      after: { username, version: nextVersion, ...after },
    })
    return ok({ ...account, nextVersion })
  })
}
