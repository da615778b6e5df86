import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** What two people decide on. */
export type SubjectKind = 'deposit' | 'withdrawal' | 'correction'

export interface Approval {
  readonly kind: SubjectKind
  readonly subject: string
  readonly contentHash: string
  readonly staffId: string
  readonly at: Instant
}

/**
 * Takes an approval of something that needs two people; call it with the subject's row locked. `first`: it was written
 * down, and somebody else has to come. `second`: there are two different people for exactly this content; the decision
 * may be carried out, and the first approval is used up. `same-person`: whoever asks was the first already. An approval
 * of content that has changed since counts for nothing and is replaced.
 */
export async function takeApproval(tx: Tx, approval: Approval): Promise<'first' | 'second' | 'same-person'> {
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

/** It was decided otherwise: rejected, cancelled. */
export async function dropApproval(tx: Tx, kind: SubjectKind, subject: string): Promise<void> {
  await tx.deleteFrom('first_approval').where('kind', '=', kind).where('subject', '=', subject).execute()
}

/** Who was the first to approve each of these, if their content is still the same. */
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

/** Whoever approved something first has to look again. */
export async function deleteFirstApprovals(tx: Tx): Promise<void> {
  await tx.deleteFrom('first_approval').execute()
}
