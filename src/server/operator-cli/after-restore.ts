import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'

const PENDING = 2

interface Restored {
  readonly ended: number
  readonly withdrawals: readonly { readonly trx: string; readonly amount: bigint }[]
  /** When the newest line of the log of actions was written: what was done after that is not known here. */
  readonly newest: bigint
}

/**
 * A database of an earlier time believes that nothing has happened since. Nobody is signed in to it, no code that was sent
 * opens anything, and whoever approved a payment first has to look again: it may have been paid. Results that nobody has
 * seen are told again, which changes nothing; mails and messages are never kept to be sent, so none is sent twice.
 */
export async function afterRestore(ctx: Ctx, actor: Actor): Promise<Restored> {
  return ctx.db.transaction().execute(async (tx) => {
    const last = await tx
      .selectFrom('admin_action')
      .select('at_ms')
      .orderBy('at_ms', 'desc')
      .limit(1)
      .executeTakeFirst()
    const users = await tx.deleteFrom('session').executeTakeFirst()
    const staff = await tx.deleteFrom('staff_session').executeTakeFirst()
    await tx.deleteFrom('staff_ticket').execute()
    await tx.deleteFrom('user_ticket').execute()
    await tx.deleteFrom('one_time_code').execute()
    await tx.deleteFrom('first_approval').execute()
    // A page that was open on one of them shows something old.
    const withdrawals = await tx
      .updateTable('withdrawal')
      .set((of) => ({ review_version: of('review_version', '+', 1) }))
      .where('status', '=', PENDING)
      .returning(['trx', 'amount'])
      .execute()
    const ended = Number(users.numDeletedRows + staff.numDeletedRows)
    await recordAction(tx, ctx, actor, {
      target: 'database',
      outcome: 'done',
      after: { sessionsEnded: ended, withdrawalsPending: withdrawals.length },
    })
    return { ended, withdrawals, newest: last?.at_ms ?? 0n }
  })
}
