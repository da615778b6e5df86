import { type Result, ok } from '#core/result.ts'
import { lockApprovals } from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findAnswer, keepAnswer, type StaffRequestKey } from '#server/audit/staff-requests.ts'
import { publishStep, type Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** A call of a staff member about a payment file. */
export interface FileCall {
  readonly actor: Actor
  readonly request: StaffRequestKey
}

/** The result of a change: the id of the file, the steps that its withdrawals took, and the facts for the audit log. */
export interface ChangedFile {
  readonly id: string
  readonly steps: readonly Stepped[]
  readonly reason?: string
  readonly after: Readonly<Record<string, unknown>>
}

/**
 * Runs a change of a payment file with all its withdrawals in one transaction. It takes its locks in the same sequence
 * as `changeWithdrawal`, so that the two cannot deadlock: approvals, balances, rows. A repeated call gets the reply of
 * the first call. Returns the id of the file.
 */
export async function changePaymentFile<R extends string>(
  ctx: Ctx,
  { actor, request }: FileCall,
  change: (tx: Tx) => Promise<Result<ChangedFile, R>>,
): Promise<Result<string, R | 'request_conflict'>> {
  const done = await ctx.db.transaction().execute(async (tx): Promise<Result<ChangedFile, R | 'request_conflict'>> => {
    await lockApprovals(tx)
    const answered = await findAnswer(tx, request)
    if (!answered.ok) return answered
    if (answered.value !== null) {
      await recordAction(tx, ctx, actor, { target: answered.value, outcome: 'looked', reason: 'repeated' })
      return ok({ id: answered.value, steps: [], after: {} })
    }
    const changed = await change(tx)
    if (!changed.ok) return changed
    const { id, reason = '', after } = changed.value
    await recordAction(tx, ctx, actor, { target: id, outcome: 'done', reason, after })
    await keepAnswer(ctx, tx, request, id)
    return changed
  })
  if (!done.ok) return done
  for (const stepped of done.value.steps) publishStep(ctx, stepped)
  return ok(done.value.id)
}

/**
 * Returns the actor for the step that one withdrawal takes with its file. Its audit entry has the same action name as a
 * step outside a file. Only the entry of the file has the id of the request.
 */
export function lineActor(actor: Actor, step: 'pay' | 'paid' | 'unsend'): Actor {
  return { ...actor, what: `withdrawals/:trx/${step}`, requestId: '' }
}
