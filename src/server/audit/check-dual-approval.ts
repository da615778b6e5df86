import { type Refusal, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { dropApproval, type SubjectKind, takeApproval } from '#server/audit/dual-approval.ts'
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
 * Whether an approval may be carried out now: `decide`. Above the limit the first one is only written down, and on
 * record: `first`. Call it with the subject's row locked.
 */
export async function admitApproval(
  tx: Tx,
  ctx: Ctx,
  { kind, subject, contentHash, actor, needsTwo }: Approving,
): Promise<'decide' | 'first' | Refusal<'second_person_needed'>> {
  if (!needsTwo) {
    // The limit may have been raised since somebody was the first.
    await dropApproval(tx, kind, subject)
    return 'decide'
  }
  // Whoever has no name of their own cannot be one of two people.
  const { staffId } = actor
  if (staffId === undefined) return refuse('second_person_needed')
  const taken = await takeApproval(tx, { kind, subject, contentHash, staffId, at: ctx.now() })
  if (taken === 'second') return 'decide'
  if (taken === 'same-person') return refuse('second_person_needed')
  await recordAction(tx, ctx, actor, { target: subject, outcome: 'done', after: { approvals: 1, contentHash } })
  return 'first'
}
