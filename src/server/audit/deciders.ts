import { z } from 'zod'
import { refuse, type Refusal } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { utcText } from '#core/time/utc-text.ts'
import type { ApprovalRefusal } from '#server/audit/check-dual-approval.ts'
import { firstApprovers } from '#server/audit/dual-approval.ts'
import type { Db } from '#server/platform/database/tables.ts'

interface Decider {
  readonly who: string
  readonly at: Instant
}

/** The audit log records a first approval with the number of approvals, and a decision with the new status. */
const Recorded = z.union([z.looseObject({ approvals: z.literal(1) }), z.looseObject({ status: z.number() })])

interface Payment {
  readonly trx: string
  readonly isWaiting: boolean
  readonly hash: () => string
}

/** Names the first approver and the decider of a payment, for a row of a queue. */
export type DecidedBy = (trx: string) => { readonly first_by: string | null; readonly decided_by: string | null }

/**
 * Finds the approver and the decider of each of these payments. For a pending payment, a first approval is valid only
 * if the content is unchanged. For a decided payment, the audit log names both.
 */
export async function decidedByOf(db: Db, kind: 'deposit', payments: readonly Payment[]): Promise<DecidedBy> {
  const waiting = payments.filter(({ isWaiting }) => isWaiting)
  const decided = payments.filter(({ isWaiting }) => !isWaiting)
  const approvers = await firstApprovers(db, kind, new Map(waiting.map(({ trx, hash }) => [trx, hash()])))
  const first = new Map(approvers)
  const last = new Map<string, string>()
  for (const { target, who, after } of await decisionLines(
    db,
    decided.map(({ trx }) => trx),
  )) {
    if ('approvals' in after) first.set(target, who)
    else last.set(target, who)
  }
  return (trx) => ({ first_by: first.get(trx) ?? null, decided_by: last.get(trx) ?? null })
}

/** Finds the staff member who decided a payment. Null when the user or an automatic gateway decided it. */
export async function findDecider(db: Db, trx: string): Promise<Decider | null> {
  const lines = await decisionLines(db, [trx])
  return lines.findLast(({ after }) => 'status' in after) ?? null
}

/** Reads the audit entries that approve or decide these payments, oldest first. */
async function decisionLines(db: Db, references: readonly string[]) {
  if (references.length === 0) return []
  const lines = await db
    .selectFrom('admin_action as a')
    .leftJoin('admin_action_words as w', 'w.line_id', 'a.id')
    .select(['a.target', 'a.who', 'a.at_ms', 'a.after', 'w.after as words'])
    .where('a.target', 'in', [...references])
    .where('a.outcome', '=', 'done')
    .orderBy('a.at_ms')
    .orderBy('a.seq')
    .execute()
  return lines.flatMap(({ target, who, at_ms: at, after: recorded, words }) => {
    const after = Recorded.safeParse(words ?? recorded).data
    return after === undefined ? [] : [{ target, who, at: instant(at), after }]
  })
}

/** The refusals of calls that decide a payment. */
export type DecisionRefusal = Refusal<'not_found' | 'already_decided' | 'content_changed' | ApprovalRefusal>

/** Refuses a second decision, and names who made the first decision and when. */
export function refuseDecided(
  decision: 'approved' | 'rejected' | 'cancelled' | 'withdrawn',
  by: Decider | null,
): Refusal<'already_decided'> {
  if (decision === 'cancelled') return refuse('already_decided', { params: { variant: 'cancelled' } })
  if (by === null) return refuse('already_decided')
  return refuse('already_decided', { params: { variant: decision, who: by.who, time: utcText(by.at) } })
}
