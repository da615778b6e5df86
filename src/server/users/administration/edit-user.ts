import type { Updateable } from 'kysely'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { refuseStale } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { AppUserTable, Tx } from '#server/platform/database/tables.ts'
import { type Account, lockAccount, updateAccount, type UserKey } from '#server/users/accounts/users.queries.ts'

/** Who changes whose account, and why. */
export interface Edit {
  readonly user: UserKey
  /** What the person who changes it has looked at; left out by the command line, which always means what is now. */
  readonly seenVersion?: number | undefined
  readonly reason: string
  readonly actor: Actor
}

/** What changes: the columns, and the same for people to read. */
export interface Change {
  readonly set: Updateable<AppUserTable>
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** What else belongs to it, in its transaction. */
  readonly alongside?: (tx: Tx, account: Account) => Promise<unknown>
}

export type EditRefusal = 'user_unknown' | 'changed_meanwhile'

/** The account as it was, and its version now. */
export type Edited = Account & { readonly nextVersion: number }

/** Every change of an account by staff: under its lock, with one version more, on record under the user's id. */
export async function editUser(
  ctx: Ctx,
  { user, seenVersion, reason, actor }: Edit,
  decide: (account: Account) => Change,
): Promise<Result<Edited, EditRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, user)
    if (!account) return refuse('user_unknown')
    const { id, username, version } = account
    if (seenVersion !== undefined && seenVersion !== version) return refuseStale(tx, { target: id, seenVersion, actor })
    const { set, before, after, alongside } = decide(account)
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
