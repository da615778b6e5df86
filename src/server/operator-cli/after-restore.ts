import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { deleteFirstApprovals } from '#server/audit/dual-approval.ts'
import { endStaffAfterRestore } from '#server/back-office/staff/after-restore.ts'
import { outdatePending } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { endUsersAfterRestore } from '#server/users/administration/after-restore.ts'
import type { Ctx } from '#server/platform/context/context.ts'

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
    const ended = (await endUsersAfterRestore(tx)) + (await endStaffAfterRestore(tx))
    await deleteFirstApprovals(tx)
    const withdrawals = await outdatePending(tx)
    await recordAction(tx, ctx, actor, {
      target: 'database',
      outcome: 'done',
      after: { sessionsEnded: ended, withdrawalsPending: withdrawals.length },
    })
    return { ended, withdrawals, newest: last?.at_ms ?? 0n }
  })
}
