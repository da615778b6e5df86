import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { endAllApprovals } from '#server/audit/dual-approval.ts'
import { endStaffAfterRestore } from '#server/back-office/staff/after-restore.ts'
import { outdatePending } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { endUsersAfterRestore } from '#server/users/administration/after-restore.ts'
import { haltRegister } from '#server/register/halts.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface Restored {
  readonly endedSessions: number
  readonly withdrawals: readonly { readonly trx: string; readonly amount: bigint; readonly state: string }[]
  /** When the newest audit entry was written. Later actions are lost. */
  readonly newest: bigint
}

/**
 * Invalidates what may be outdated in a restored database. All sessions end and all sent codes expire. First approvals
 * end, because their payments may have been made already. The register halts, because its readers may have seen a
 * larger state than the restored one. Unconfirmed results are resent, which is harmless. Emails and text messages are
 * never queued in the database, so none is sent twice.
 */
export async function afterRestore(ctx: Ctx, actor: Actor): Promise<Restored> {
  return ctx.db.transaction().execute(async (tx) => {
    const last = await tx
      .selectFrom('admin_action')
      .select('at_ms')
      .orderBy('at_ms', 'desc')
      .limit(1)
      .executeTakeFirst()
    const endedSessions = (await endUsersAfterRestore(ctx, tx)) + (await endStaffAfterRestore(tx))
    await endAllApprovals(ctx, tx)
    const withdrawals = await outdatePending(tx)
    await haltRegister(ctx, tx, { cause: 'backup', knownSize: null })
    await recordAction(tx, ctx, actor, {
      target: 'database',
      outcome: 'done',
      after: { sessionsEnded: endedSessions, withdrawalsPending: withdrawals.length },
    })
    return { endedSessions, withdrawals, newest: last?.at_ms ?? 0n }
  })
}
