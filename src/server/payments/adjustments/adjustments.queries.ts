import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export type AdjustmentState = 'waiting' | 'posted' | 'rejected' | 'withdrawn'

/** A requested adjustment of a balance. A positive amount adds money, a negative one removes it. */
export interface Adjustment {
  readonly id: string
  readonly userId: string
  readonly username: string
  readonly amount: Money
  readonly reason: string
  /** Hash of the requested content. See `adjustmentHash`. */
  readonly contentHash: string
  readonly state: AdjustmentState
  readonly requestedBy: string
  readonly requestedByName: string
  readonly requestedAt: Instant
  readonly decidedByName: string | null
  readonly decidedAt: Instant | null
  /** The reason for a rejection. */
  readonly words: string
  /** The user's current available balance. */
  readonly cash: Money
}

export interface AdjustmentFilters {
  readonly state?: AdjustmentState | undefined
  /** An exact username. */
  readonly search?: string | undefined
  readonly userId?: string | undefined
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['c.asked_ms', 'int8'],
    ['c.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists adjustments, newest first. */
export async function listAdjustments(
  db: Db,
  { state, search, userId }: AdjustmentFilters,
  page: Page,
): Promise<Adjustment[]> {
  const wanted = corrections(db)
    .$if(state !== undefined, (all) => all.where('c.state', '=', state ?? ''))
    .$if(userId !== undefined, (all) => all.where('c.user_id', '=', userId ?? ''))
    .$if(search !== undefined, (all) =>
      all.where(
        sql<boolean>`c.user_id = (select id from app_user where lower(username) = ${search?.toLowerCase() ?? ''})`,
      ),
    )
  const rows = await pageAfter(wanted, NEWEST_FIRST, page).execute()
  return rows.map(toCorrection)
}

export async function findAdjustment(db: Db, id: string): Promise<Adjustment | null> {
  const row = await corrections(db).where('c.id', '=', id).executeTakeFirst()
  return row ? toCorrection(row) : null
}

/** Counts the adjustments that wait for a second approval. */
export async function countWaitingAdjustments(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('correction')
    .select((from) => from.fn.countAll<bigint>().as('waiting'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** Locks an adjustment together with its balance. A concurrent decision waits, and the returned balance is current. */
export async function lockAdjustment(tx: Tx, id: string): Promise<Adjustment | null> {
  const row = await corrections(tx).where('c.id', '=', id).forUpdate(['c', 'b']).executeTakeFirst()
  return row ? toCorrection(row) : null
}

export async function insertAdjustment(
  tx: Tx,
  adjustment: Pick<Adjustment, 'id' | 'userId' | 'amount' | 'reason' | 'contentHash' | 'requestedBy' | 'requestedAt'>,
): Promise<void> {
  await tx
    .insertInto('correction')
    .values({
      user_id: adjustment.userId,
      id: adjustment.id,
      amount: adjustment.amount,
      reason: adjustment.reason,
      content_hash: adjustment.contentHash,
      state: 'waiting',
      asked_by: adjustment.requestedBy,
      asked_ms: adjustment.requestedAt,
      decided_by: null,
      decided_ms: null,
    })
    .execute()
}

export async function closeAdjustment(
  tx: Tx,
  id: string,
  by: {
    readonly state: AdjustmentState
    readonly staffId: string | null
    readonly at: Instant
    readonly words: string
  },
): Promise<void> {
  await tx
    .updateTable('correction')
    .set({ state: by.state, decided_by: by.staffId, decided_ms: by.at, words: by.words })
    .where('id', '=', id)
    .execute()
}

function corrections(db: Db) {
  return db
    .selectFrom('correction as c')
    .innerJoin('app_user as u', 'u.id', 'c.user_id')
    .innerJoin('balance as b', (join) => join.onRef('b.user_id', '=', 'c.user_id').on('b.currency', '=', BASE_CURRENCY))
    .innerJoin('staff as a', 'a.id', 'c.asked_by')
    .leftJoin('staff as d', 'd.id', 'c.decided_by')
    .selectAll('c')
    .select(['u.username', 'b.cash', 'a.name as asked_by_name', 'd.name as decided_by_name'])
}

type Row = Awaited<ReturnType<ReturnType<typeof corrections>['executeTakeFirstOrThrow']>>

function toCorrection(row: Row): Adjustment {
  return {
    id: row.id,
    userId: row.user_id,
    username: row.username,
    amount: money(row.amount),
    reason: row.reason,
    contentHash: row.content_hash,
    state: readState(row.state),
    requestedBy: row.asked_by,
    requestedByName: row.asked_by_name,
    requestedAt: instant(row.asked_ms),
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_ms === null ? null : instant(row.decided_ms),
    words: row.words,
    cash: money(row.cash),
  }
}

function readState(text: string): AdjustmentState {
  if (text === 'waiting' || text === 'posted' || text === 'rejected' || text === 'withdrawn') return text
  throw new Error(`unknown state of an adjustment: ${text}`)
}
