import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The kinds of decisions that need two approvals. */
export type SubjectKind = 'deposit' | 'withdrawal' | 'rejection' | 'return' | 'correction'

/** Kind and subject of the entry that ends all approvals after a backup was restored. */
const EVERYTHING = 'everything'

/** The values of the column `step` in the table `approval`. */
export const VOIDED = 0
export const FIRST = 1
export const SECOND = 2
export const ALONE = 3

interface Subject {
  readonly kind: SubjectKind
  readonly subject: string
}

export interface FirstApproval {
  readonly staffId: string
  readonly at: number
  /** The address from which the approval was given. */
  readonly place: string
}

export interface NewApproval extends Subject {
  readonly contentHash: string
  readonly step: number
  readonly staffId: string | null
  /** The staff id, or the name of the actor when the operator CLI decides. */
  readonly person: string
  readonly userId: string | null
  /** A hash of the payment details that receive the money. */
  readonly destination: string | null
  readonly amount: bigint
  readonly place: string
  readonly mark?: string
}

/** Adds an approval. Approvals are never changed. */
export async function insertApproval(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, approval: NewApproval): Promise<void> {
  const { kind, subject, step, person, amount, place, mark = '' } = approval
  await tx
    .insertInto('approval')
    .values({
      id: ctx.newId(),
      kind,
      subject,
      step,
      person,
      amount,
      place,
      mark,
      content_hash: approval.contentHash,
      staff_id: approval.staffId,
      at_ms: ctx.now(),
      user_id: approval.userId,
      destination: approval.destination,
    })
    .execute()
}

/** Lists the first approvals of exactly this content that are still valid, oldest first. */
export async function openApprovals(
  db: Db | Tx,
  { kind, subject, contentHash }: Subject & { readonly contentHash: string },
): Promise<FirstApproval[]> {
  return (await openApprovalsOf(db, kind, new Map([[subject, contentHash]]))).get(subject) ?? []
}

/**
 * Lists the valid first approvals of each subject: given after the subject's approvals last ended, for unchanged
 * content.
 */
export async function openApprovalsOf(
  db: Db | Tx,
  kind: SubjectKind,
  hashes: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, FirstApproval[]>> {
  const open = new Map<string, FirstApproval[]>()
  if (hashes.size === 0) return open
  const rows = await db
    .selectFrom('approval')
    .select(['kind', 'subject', 'content_hash', 'step', 'staff_id', 'at_ms', 'place'])
    .where('kind', 'in', [kind, EVERYTHING])
    .where('subject', 'in', [...hashes.keys(), EVERYTHING])
    .orderBy('at_ms')
    .orderBy('id')
    .execute()
  for (const row of rows) {
    if (row.kind === EVERYTHING) open.clear()
    else if (row.step !== FIRST) open.delete(row.subject)
    else if (row.staff_id !== null && row.content_hash === hashes.get(row.subject)) {
      const given = { staffId: row.staff_id, at: Number(row.at_ms), place: row.place }
      open.set(row.subject, [...(open.get(row.subject) ?? []), given])
    }
  }
  return open
}

/** Ends the first approvals of a subject after another decision, such as a rejection or a cancellation. */
export async function endApprovals(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, { kind, subject }: Subject): Promise<void> {
  const open = await tx
    .selectFrom('approval')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .limit(1)
    .execute()
  if (open.length > 0) await insertEnd(ctx, tx, kind, subject)
}

/** Ends all first approvals, so that each decision needs both approvals again. */
export async function endAllApprovals(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx): Promise<void> {
  await insertEnd(ctx, tx, EVERYTHING, EVERYTHING)
}

async function insertEnd(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, kind: string, subject: string): Promise<void> {
  await tx
    .insertInto('approval')
    .values({
      id: ctx.newId(),
      kind,
      subject,
      content_hash: '',
      step: VOIDED,
      staff_id: null,
      person: '',
      at_ms: ctx.now(),
      user_id: null,
      destination: null,
    })
    .execute()
}

/** Finds the first approver of each subject whose content is unchanged since the first approval. */
export async function firstApprovers(
  db: Db,
  kind: SubjectKind,
  subjects: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const open = await openApprovalsOf(db, kind, subjects)
  const ids = [...open.values()].flatMap((list) => list[0]?.staffId ?? [])
  if (ids.length === 0) return new Map()
  const people = await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return new Map([...open].map(([subject, list]) => [subject, names.get(list[0]?.staffId ?? '') ?? '']))
}

/** Selects the subjects of a kind that have ever had a first approval. */
export function firstApproved(db: Db, kind: SubjectKind) {
  return db.selectFrom('approval').select('subject').where('kind', '=', kind).where('step', '=', FIRST)
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((total, { amount }) => total + amount, 0n)
}

/** Sums the amounts approved since a time: for one user, to one destination, and by one staff member alone. */
export async function approvedSince(
  tx: Tx,
  { userId, destination, person }: Pick<NewApproval, 'userId' | 'destination' | 'person'>,
  since: Instant,
): Promise<{ readonly byUser: bigint; readonly byDestination: bigint; readonly byPerson: bigint }> {
  const recent = () =>
    tx.selectFrom('approval').select('amount').where('step', 'in', [SECOND, ALONE]).where('at_ms', '>', BigInt(since))
  return {
    byUser: userId === null ? 0n : sum(await recent().where('user_id', '=', userId).execute()),
    byDestination: destination === null ? 0n : sum(await recent().where('destination', '=', destination).execute()),
    byPerson: sum(await recent().where('step', '=', ALONE).where('person', '=', person).execute()),
  }
}
