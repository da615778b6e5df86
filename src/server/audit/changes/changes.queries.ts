import { z } from 'zod'
import { assert } from '#core/result.ts'
import { type ChangeKind, isChangeKind } from '#core/staff/change-kinds.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const ChangeState = z.enum(['asked', 'waiting', 'in_force', 'cancelled', 'failed'])
export type ChangeState = z.output<typeof ChangeState>

/** The values of a change, by field. */
export type ChangeFields = Readonly<Record<string, unknown>>
const Fields = z.record(z.string(), z.unknown())

/** A change that waits, or waited, for a second approver and then for its time. */
export interface Change {
  readonly id: string
  readonly kind: ChangeKind
  /** The changed object: the name of a gateway, of settings or of a staff member. */
  readonly subject: string
  readonly before: ChangeFields
  readonly after: ChangeFields
  readonly contentHash: string
  readonly requestedBy: string
  readonly requestedByName: string
  readonly requestedAt: Instant
  readonly requestedFrom: string
  readonly secondBy: string | null
  readonly secondByName: string | null
  readonly secondAt: Instant | null
  readonly appliesAt: Instant | null
  readonly state: ChangeState
  readonly closedBy: string
  readonly closedAt: Instant | null
  readonly mark: string
  readonly reason: string
}

export type NewChange = Pick<
  Change,
  | 'id'
  | 'kind'
  | 'subject'
  | 'before'
  | 'after'
  | 'contentHash'
  | 'requestedBy'
  | 'requestedAt'
  | 'requestedFrom'
  | 'reason'
> & { readonly appliesAt: Instant | null }

export async function insertChange(tx: Tx, change: NewChange): Promise<void> {
  await tx
    .insertInto('pending_change')
    .values({
      id: change.id,
      kind: change.kind,
      subject: change.subject,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      content_hash: change.contentHash,
      asked_by: change.requestedBy,
      asked_ms: change.requestedAt,
      asked_from: change.requestedFrom,
      second_by: null,
      applies_ms: change.appliesAt,
      state: change.appliesAt === null ? 'asked' : 'waiting',
      reason: change.reason,
    })
    .execute()
}

/** Finds the change of a subject that waits for a second approver or for its time. */
export async function findOpenChange(
  db: Db | Tx,
  { kind, subject }: { readonly kind: ChangeKind; readonly subject: string },
): Promise<Change | null> {
  const row = await changes(db)
    .where('c.kind', '=', kind)
    .where('c.subject', '=', subject)
    .where('c.state', 'in', ['asked', 'waiting'])
    .executeTakeFirst()
  return row ? toChange(row) : null
}

/** Locks a change, so that concurrent decisions run one after the other. */
export async function lockChange(tx: Tx, id: string): Promise<Change | null> {
  const row = await changes(tx).where('c.id', '=', id).forUpdate('c').executeTakeFirst()
  return row ? toChange(row) : null
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['c.asked_ms', 'int8'],
    ['c.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists changes, newest first. With `isOpen`, only changes that have not ended. */
export async function listChanges(db: Db, isOpen: boolean, page: Page): Promise<Change[]> {
  const wanted = changes(db).$if(isOpen, (all) => all.where('c.state', 'in', ['asked', 'waiting']))
  return (await pageAfter(wanted, NEWEST_FIRST, page).execute()).map(toChange)
}

/** Counts the changes that wait for a second approver. */
export async function countAskedChanges(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pending_change')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .where('state', '=', 'asked')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the ids of changes whose time has come, earliest first. */
export async function listDueChanges(db: Db, now: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('pending_change')
    .select('id')
    .where('state', '=', 'waiting')
    .where('applies_ms', '<=', BigInt(now))
    .orderBy('applies_ms')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks an invitation that is in force: owners and approvers were mailed, but the invited person not yet. */
const LINK_DUE = 'link_due'

/** Lists changes whose current state was not yet mailed to owners and approvers. */
export async function listUnmailedChanges(db: Db): Promise<Change[]> {
  const unmailed = changes(db).whereRef('c.mailed', '<>', 'c.state').where('c.mailed', '<>', LINK_DUE)
  return (await unmailed.orderBy('c.asked_ms').limit(50).execute()).map(toChange)
}

/** Lists invitations in force whose link was not yet mailed to the invited person. */
export async function listDueInvitations(db: Db): Promise<Change[]> {
  return (await changes(db).where('c.mailed', '=', LINK_DUE).orderBy('c.asked_ms').execute()).map(toChange)
}

export async function markMailed(db: Db, { id, state }: Pick<Change, 'id' | 'state'>): Promise<void> {
  await db.updateTable('pending_change').set({ mailed: state }).where('id', '=', id).execute()
}

export async function markLinkDue(db: Db, { id }: Pick<Change, 'id'>): Promise<void> {
  await db.updateTable('pending_change').set({ mailed: LINK_DUE }).where('id', '=', id).execute()
}

/** Stores the second approval. The caller must hold the lock. */
export async function markSeconded(
  tx: Tx,
  id: string,
  second: { readonly by: string; readonly at: Instant; readonly appliesAt: Instant; readonly mark: string },
): Promise<void> {
  await tx
    .updateTable('pending_change')
    .set({
      state: 'waiting',
      second_by: second.by,
      second_ms: second.at,
      applies_ms: second.appliesAt,
      mark: second.mark,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends a change. The caller must hold the lock. */
export async function markEnded(
  tx: Tx,
  id: string,
  end: { readonly state: 'in_force' | 'cancelled' | 'failed'; readonly by: string; readonly at: Instant },
): Promise<void> {
  await tx
    .updateTable('pending_change')
    .set({ state: end.state, ended_by: end.by, ended_ms: end.at })
    .where('id', '=', id)
    .execute()
}

/** Counts by kind the changes that came into force since a time. */
export async function countChangesSince(db: Db | Tx, since: Instant): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('pending_change')
    .select((of) => ['kind', of.fn.countAll<bigint>().as('count')])
    .where('state', '=', 'in_force')
    .where('ended_ms', '>', BigInt(since))
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
}

function changes(db: Db | Tx) {
  return db
    .selectFrom('pending_change as c')
    .innerJoin('staff as a', 'a.id', 'c.asked_by')
    .leftJoin('staff as s', 's.id', 'c.second_by')
    .selectAll('c')
    .select(['a.name as asked_by_name', 's.name as second_by_name'])
}

function toChange(row: Awaited<ReturnType<ReturnType<typeof changes>['execute']>>[number]): Change {
  assert(isChangeKind(row.kind), 'the database holds only kinds of changes that exist')
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    before: Fields.parse(row.before),
    after: Fields.parse(row.after),
    contentHash: row.content_hash,
    requestedBy: row.asked_by,
    requestedByName: row.asked_by_name,
    requestedAt: instant(row.asked_ms),
    requestedFrom: row.asked_from,
    secondBy: row.second_by,
    secondByName: row.second_by_name,
    secondAt: timeOf(row.second_ms),
    appliesAt: timeOf(row.applies_ms),
    state: ChangeState.parse(row.state),
    closedBy: row.ended_by,
    closedAt: timeOf(row.ended_ms),
    mark: row.mark,
    reason: row.reason,
  }
}

function timeOf(ms: bigint | null): Instant | null {
  return ms === null ? null : instant(ms)
}
