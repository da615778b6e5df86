import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { ADJUSTMENT_KINDS, type AdjustmentKind, type LinkedRecord } from '#core/wallet/adjustment-rules.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { CREDITED } from '#server/payments/deposits/deposits.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export const ADJUSTMENT_STATES = ['waiting', 'announced', 'disputed', 'posted', 'rejected', 'withdrawn'] as const
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number]

/** A requested adjustment of a balance. A positive amount adds money, a negative amount removes it. */
export interface Adjustment {
  readonly id: string
  readonly userId: string
  readonly username: string
  /** The reference that the user sees. */
  readonly trx: string
  /** `before` stands for a stored kind that is no longer in use. Such adjustments are negative. */
  readonly kind: AdjustmentKind | 'before'
  /** The reference of the deposit or adjustment that this adjustment takes back. */
  readonly link: string | null
  /** The reason that the user reads. */
  readonly message: string
  readonly amount: Money
  readonly reason: string
  /** Hash of the requested content. See `adjustmentHash`. */
  readonly contentHash: string
  readonly state: AdjustmentState
  readonly requestedBy: string
  readonly requestedByName: string
  readonly requestedAt: Instant
  readonly decidedBy: string | null
  readonly decidedByName: string | null
  readonly decidedAt: Instant | null
  /** When an announced adjustment is posted. */
  readonly postsAt: Instant | null
  /** When the user disputed the adjustment, or null. */
  readonly disputedAt: Instant | null
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

/** Counts the adjustments that wait for staff: for a second approval, or for two approvals after a dispute. */
export async function countWaitingAdjustments(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('correction')
    .select((from) => from.fn.countAll<bigint>().as('waiting'))
    .where('state', 'in', ['waiting', 'disputed'])
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/**
 * Reads an adjustment and locks its row and the row of its user's balance. A concurrent decision waits, and `cash` is
 * current.
 */
export async function lockAdjustment(tx: Tx, id: string): Promise<Adjustment | null> {
  const row = await corrections(tx).where('c.id', '=', id).forUpdate(['c', 'b']).executeTakeFirst()
  return row ? toCorrection(row) : null
}

export async function insertAdjustment(
  tx: Tx,
  adjustment: Pick<
    Adjustment,
    | 'id'
    | 'userId'
    | 'trx'
    | 'kind'
    | 'link'
    | 'message'
    | 'amount'
    | 'reason'
    | 'contentHash'
    | 'requestedBy'
    | 'requestedAt'
  >,
): Promise<void> {
  await tx
    .insertInto('correction')
    .values({
      user_id: adjustment.userId,
      id: adjustment.id,
      trx: adjustment.trx,
      kind: adjustment.kind,
      link: adjustment.link,
      message: adjustment.message,
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
    /** When an announced adjustment is posted. */
    readonly postsAt?: Instant
    readonly postedAt?: Instant
  },
): Promise<void> {
  await tx
    .updateTable('correction')
    .set({
      state: by.state,
      decided_by: by.staffId,
      decided_ms: by.at,
      words: by.words,
      posts_ms: by.postsAt ?? null,
      posted_ms: by.postedAt ?? null,
    })
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
    trx: row.trx,
    kind: readKind(row.kind),
    link: row.link,
    message: row.message,
    amount: money(row.amount),
    reason: row.reason,
    contentHash: row.content_hash,
    state: readState(row.state),
    requestedBy: row.asked_by,
    requestedByName: row.asked_by_name,
    requestedAt: instant(row.asked_ms),
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_ms === null ? null : instant(row.decided_ms),
    postsAt: row.posts_ms === null ? null : instant(row.posts_ms),
    disputedAt: row.disputed_ms === null ? null : instant(row.disputed_ms),
    words: row.words,
    cash: money(row.cash),
  }
}

function readState(text: string): AdjustmentState {
  const state = ADJUSTMENT_STATES.find((one) => one === text)
  if (state !== undefined) return state
  throw new Error(`unknown state of an adjustment: ${text}`)
}

function readKind(text: string): Adjustment['kind'] {
  return ADJUSTMENT_KINDS.find((kind) => kind === text) ?? 'before'
}

/**
 * Finds the deposit or adjustment that a negative adjustment would take back, with the amount that other adjustments
 * take back from it already. Adjustments that still wait count too.
 */
export async function findLinkedRecord(
  tx: Tx,
  { userId, link }: { readonly userId: string; readonly link: string },
): Promise<LinkedRecord | null> {
  const deposit = await tx
    .selectFrom('deposit')
    .select('credited as amount')
    .where('user_id', '=', userId)
    .where('trx', '=', link)
    .where('status', '=', CREDITED)
    .executeTakeFirst()
  const credit = await tx
    .selectFrom('correction')
    .select('amount')
    .where('user_id', '=', userId)
    .where('trx', '=', link)
    .where('amount', '>', 0n)
    .where('state', '=', 'posted')
    .executeTakeFirst()
  const record = deposit ?? credit
  if (record === undefined) return null
  const { taken } = await tx
    .selectFrom('correction')
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('taken'))
    .where('user_id', '=', userId)
    .where('link', '=', link)
    .where('state', 'not in', ['rejected', 'withdrawn'])
    .executeTakeFirstOrThrow()
  const kind = deposit === undefined ? 'credit' : 'deposit'
  return { kind, amount: money(record.amount), reversedAmount: money(-taken) }
}

/**
 * Lists the adjustments that a user sees, newest first: posted and announced ones, and announced ones that were
 * disputed or called off.
 */
export async function listOwnAdjustments(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly adjustments: readonly Adjustment[]; readonly total: number }> {
  const seen = corrections(db)
    .where('c.user_id', '=', userId)
    .where((of) => of.or([of('c.posts_ms', 'is not', null), of('c.state', '=', 'posted')]))
  const rows = await seen.orderBy('c.asked_ms', 'desc').orderBy('c.id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await db
    .selectFrom('correction')
    .select((of) => of.fn.countAll<bigint>().as('total'))
    .where('user_id', '=', userId)
    .where((of) => of.or([of('posts_ms', 'is not', null), of('state', '=', 'posted')]))
    .executeTakeFirstOrThrow()
  return { adjustments: rows.map(toCorrection), total: Number(total) }
}

/** Finds the id of a user's adjustment by its reference. */
export async function findOwnAdjustment(db: Db, userId: string, trx: string): Promise<string | null> {
  const row = await db
    .selectFrom('correction')
    .select('id')
    .where('user_id', '=', userId)
    .where('trx', '=', trx)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Lists the ids of the announced adjustments whose time has come, earliest first. */
export async function listDueAdjustments(db: Db, now: Instant): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('correction')
    .select('id')
    .where('state', '=', 'announced')
    .where('posts_ms', '<=', BigInt(now))
    .orderBy('posts_ms')
    .execute()
  return rows.map(({ id }) => id)
}

/** Changes the state of an announced or disputed adjustment. The caller must hold the lock of the row. */
export async function moveAdjustment(
  tx: Tx,
  id: string,
  change:
    | { readonly state: 'disputed'; readonly disputed_ms: Instant }
    | { readonly state: 'announced' }
    | { readonly state: 'posted'; readonly posted_ms: Instant },
): Promise<void> {
  await tx.updateTable('correction').set(change).where('id', '=', id).execute()
}
