import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { deleteFirstApprovals } from '#server/audit/dual-approval.ts'
import { endStaffAfterRestore } from '#server/back-office/staff/after-restore.ts'
import { outdatePending } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { endUsersAfterRestore } from '#server/users/administration/after-restore.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface Restored {
  readonly ended: number
  readonly withdrawals: readonly { readonly trx: string; readonly amount: bigint }[]
  /** When the newest audit entry was written. Later actions are lost. */
  readonly newest: bigint
}

/**
 * Invalidates what may be outdated in a restored database.
 * All sessions end, all sent codes expire, and first approvals are deleted, because the payment may have been made
 * already.
 * Unconfirmed results are resent, which is harmless. Emails and text messages are never queued in the database, so none
 * is sent twice.
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
    // A back-office page opened before the restore shows an outdated withdrawal.
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
