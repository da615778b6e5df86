import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The kinds of decisions that need two approvals. */
export type SubjectKind = 'deposit' | 'withdrawal' | 'rejection' | 'correction'

export interface Approval {
  readonly kind: SubjectKind
  readonly subject: string
  readonly contentHash: string
  readonly staffId: string
  readonly at: Instant
}

/**
 * Records an approval of a subject that needs two. The caller must hold the lock of the subject's row.
 * `first`: the approval was stored, and a second one is needed.
 * `second`: two staff members have approved exactly this content. The first approval is consumed, and the decision may
 * proceed.
 * `same-person`: the caller gave the first approval.
 * A first approval of changed content does not count and is replaced.
 */
export async function recordApproval(tx: Tx, approval: Approval): Promise<'first' | 'second' | 'same-person'> {
  const { kind, subject, contentHash, staffId, at } = approval
  const before = await tx
    .selectFrom('first_approval')
    .select(['content_hash', 'staff_id'])
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()
  if (before?.content_hash === contentHash) {
    if (before.staff_id === staffId) return 'same-person'
    await dropApproval(tx, kind, subject)
    return 'second'
  }
  const row = { content_hash: contentHash, staff_id: staffId, at_ms: at }
  await tx
    .insertInto('first_approval')
    .values({ kind, subject, ...row })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(row))
    .execute()
  return 'first'
}

/** Deletes a first approval after another decision: rejected or cancelled. */
export async function dropApproval(tx: Tx, kind: SubjectKind, subject: string): Promise<void> {
  await tx.deleteFrom('first_approval').where('kind', '=', kind).where('subject', '=', subject).execute()
}

/** Finds the first approver of each subject whose content is unchanged since. */
export async function firstApprovers(
  db: Db,
  kind: SubjectKind,
  subjects: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, { readonly staffId: string; readonly name: string }>> {
  if (subjects.size === 0) return new Map()
  const rows = await db
    .selectFrom('first_approval as a')
    .innerJoin('staff as s', 's.id', 'a.staff_id')
    .select(['a.subject', 'a.content_hash', 'a.staff_id', 's.name'])
    .where('a.kind', '=', kind)
    .where('a.subject', 'in', [...subjects.keys()])
    .execute()
  return new Map(
    rows
      .filter((row) => subjects.get(row.subject) === row.content_hash)
      .map((row) => [row.subject, { staffId: row.staff_id, name: row.name }]),
  )
}

/** Deletes all first approvals, so that each change needs both approvals again. */
export async function deleteFirstApprovals(tx: Tx): Promise<void> {
  await tx.deleteFrom('first_approval').execute()
}
