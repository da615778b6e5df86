import { type Refusal, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { dropApproval, type SubjectKind, recordApproval } from '#server/audit/dual-approval.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface Approving {
  readonly kind: SubjectKind
  readonly subject: string
  readonly contentHash: string
  readonly actor: Actor
  readonly needsTwo: boolean
}

/**
 * Decides whether an approval completes a decision now. The caller must hold the lock of the subject's row.
 * Returns `decide`, or `first` above the limit, when the approval was only recorded.
 */
export async function checkDualApproval(
  tx: Tx,
  ctx: Ctx,
  { kind, subject, contentHash, actor, needsTwo }: Approving,
): Promise<'decide' | 'first' | Refusal<'second_person_needed'>> {
  if (!needsTwo) {
    // The limit may have been raised since the first approval.
    await dropApproval(tx, kind, subject)
    return 'decide'
  }
  // An actor without a staff id, such as the operator CLI, cannot give one of two approvals.
  const { staffId } = actor
  if (staffId === undefined) return refuse('second_person_needed')
  const approval = await recordApproval(tx, { kind, subject, contentHash, staffId, at: ctx.now() })
  if (approval === 'second') return 'decide'
  if (approval === 'same-person') return refuse('second_person_needed')
  await recordAction(tx, ctx, actor, { target: subject, outcome: 'done', after: { approvals: 1, contentHash } })
  return 'first'
}
