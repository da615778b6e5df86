import { MEASURE_KINDS, type MeasureKind, type PastMeasure } from '#core/accounts/measures.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** A measure that staff took against one user, such as a block of trading. */
export interface Measure {
  readonly id: string
  readonly kind: MeasureKind
  /** The amount of a measure that is a limit. Null for other measures. */
  readonly value: Money | null
  /** The reason that the user reads. */
  readonly reason: string
  readonly since: Instant
  /** The time when the measure ends without an action of staff. Null if it never does. */
  readonly until: Instant | null
  readonly requestedBy: string | null
  readonly secondBy: string | null
  readonly finishedAt: Instant | null
}

/** Lists the measures against a user that are in force. */
export async function runningMeasures(db: Db | Tx, userId: string): Promise<Measure[]> {
  const rows = await measures(db).where('user_id', '=', userId).where('ended_ms', 'is', null).orderBy('kind').execute()
  return rows.map(toMeasure)
}

/** Lists all measures against a user, including ended measures, newest first. */
export async function listMeasures(db: Db, userId: string): Promise<Measure[]> {
  const rows = await measures(db)
    .where('user_id', '=', userId)
    .orderBy('since_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toMeasure)
}

/**
 * Lists the ended measures of one kind against a user that began after an instant and that one staff member set alone.
 */
export async function listOnePersonMeasures(
  tx: Tx,
  { userId, kind, after }: { readonly userId: string; readonly kind: MeasureKind; readonly after: Instant },
): Promise<PastMeasure[]> {
  const rows = await tx
    .selectFrom('user_measure')
    .select(['since_ms', 'ended_ms'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('since_ms', '>', BigInt(after))
    .where('second_by', 'is', null)
    .execute()
  return rows.flatMap(({ since_ms: since, ended_ms: ended }) =>
    ended === null ? [] : { since: instant(since), finishedAt: instant(ended) },
  )
}

export type NewMeasure = Pick<Measure, 'id' | 'kind' | 'value' | 'reason' | 'since' | 'until' | 'requestedBy'> & {
  readonly userId: string
}

/** Stores a new measure. The caller must hold the lock of the account, because a trigger changes the account too. */
export async function insertMeasure(tx: Tx, measure: NewMeasure): Promise<void> {
  await tx
    .insertInto('user_measure')
    .values({
      id: measure.id,
      user_id: measure.userId,
      kind: measure.kind,
      value: measure.value,
      reason: measure.reason,
      since_ms: measure.since,
      until_ms: measure.until,
      asked_by: measure.requestedBy,
    })
    .execute()
}

/** Ends a measure. Returns false when it had already ended. The caller must hold the lock of the account. */
export async function endMeasure(tx: Tx, id: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_measure')
    .set({ ended_ms: now })
    .where('id', '=', id)
    .where('ended_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewMeasure(tx: Tx, id: string, until: Instant): Promise<void> {
  await tx.updateTable('user_measure').set({ until_ms: until }).where('id', '=', id).execute()
}

/** Stores the agreement of a second approver. */
export async function agreeToMeasure(
  tx: Tx,
  id: string,
  { by, until }: { readonly by: string; readonly until: Instant | null },
): Promise<void> {
  await tx.updateTable('user_measure').set({ second_by: by, until_ms: until }).where('id', '=', id).execute()
}

/** Lists the measures whose time is over. */
export async function listDueMeasures(
  db: Db,
  now: Instant,
): Promise<{ readonly id: string; readonly userId: string; readonly kind: MeasureKind }[]> {
  const rows = await db
    .selectFrom('user_measure')
    .select(['id', 'user_id', 'kind'])
    .where('ended_ms', 'is', null)
    .where('until_ms', '<=', BigInt(now))
    .orderBy('until_ms')
    .execute()
  return rows.map(({ id, user_id: userId, kind }) => ({ id, userId, kind: readKind(kind) }))
}

function measures(db: Db | Tx) {
  return db
    .selectFrom('user_measure')
    .select(['id', 'kind', 'value', 'reason', 'since_ms', 'until_ms', 'asked_by', 'second_by', 'ended_ms'])
}

function toMeasure(row: Awaited<ReturnType<ReturnType<typeof measures>['execute']>>[number]): Measure {
  return {
    id: row.id,
    kind: readKind(row.kind),
    value: row.value === null ? null : money(row.value),
    reason: row.reason,
    since: instant(row.since_ms),
    until: row.until_ms === null ? null : instant(row.until_ms),
    requestedBy: row.asked_by,
    secondBy: row.second_by,
    finishedAt: row.ended_ms === null ? null : instant(row.ended_ms),
  }
}

function readKind(text: string): MeasureKind {
  const kind = MEASURE_KINDS.find((one) => one === text)
  assert(kind, 'the database holds only kinds of measures that exist')
  return kind
}
