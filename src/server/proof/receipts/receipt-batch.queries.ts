import { type RawBuilder, sql } from 'kysely'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import { unpackKeys } from '#server/proof/receipts/packed-keys.ts'

export type ReceiptKind = 'accepted' | 'result'

/** The leaves of one tree in their order, and the signature over its root. */
export interface ReceiptBatch {
  readonly id: string
  readonly kind: ReceiptKind
  /** When the first and the last of its orders were taken (or settled): never further apart than a minute. */
  readonly firstMs: number
  readonly lastMs: number
  readonly keys: readonly OrderKey[]
  readonly signature: string
  readonly madeMs: number
}

export const BATCH_SPAN_MS = MINUTE_MS
/** Servers may die again and again before one of them has looked for what they left without receipts. */
const LOOKS_BACK_MS = 10 * MINUTE_MS

export async function insertReceiptBatch(
  db: Db,
  batch: Omit<ReceiptBatch, 'keys'> & { readonly packedKeys: Buffer },
): Promise<void> {
  await sql`
    insert into receipt_batch (id, kind, first_ms, last_ms, keys, signature, made_ms) values (
      ${batch.id}, ${batch.kind}, ${batch.firstMs}, ${batch.lastMs}, ${batch.packedKeys}, ${batch.signature},
      ${batch.madeMs})`.execute(db)
}

/** The batch that holds an order which was taken (or settled) at `atMs`; null while there is none. */
export async function findReceiptBatch(
  db: Db,
  kind: ReceiptKind,
  { orderId, atMs }: { readonly orderId: string; readonly atMs: number },
): Promise<ReceiptBatch | null> {
  const row = await db
    .selectFrom('receipt_batch')
    .selectAll()
    .where('kind', '=', kind)
    .where('last_ms', '>=', BigInt(atMs))
    .where('last_ms', '<=', BigInt(atMs + BATCH_SPAN_MS))
    .where('first_ms', '<=', BigInt(atMs))
    .where(sql<boolean>`position(uuid_send(${orderId}::uuid) in keys) > 0`)
    .orderBy('last_ms')
    .orderBy('made_ms')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    kind,
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
    keys: unpackKeys(row.keys),
    signature: row.signature,
    madeMs: Number(row.made_ms),
  }
}

/**
 * Where orders are looked for that have no receipt: of their taking those that are open and those that have ended, which are
 * two tables, and of their results.
 */
export type SweptOrders = 'open' | 'ended' | 'results'

/** From when on orders may have no receipt, before any newer one is made. */
export async function sweepStart(db: Db, kind: ReceiptKind): Promise<number> {
  const newest = await db
    .selectFrom('receipt_batch')
    .select('last_ms')
    .where('kind', '=', kind)
    .orderBy('last_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(newest?.last_ms ?? 0) - LOOKS_BACK_MS
}

/** A place among the orders of a kind, by when they were taken (or settled) and then by their ids. */
export interface OrderPlace {
  readonly atMs: number
  readonly orderId: string
}

/** Before all others of that time. */
export function beforeAllOf(atMs: number): OrderPlace {
  return { atMs, orderId: '00000000-0000-0000-0000-000000000000' }
}

/** The next orders after a place, as many as a page has. */
export interface SweptPage {
  /** Those of them that have no receipt: they came between a commit and a crash, or were too many to be kept. */
  readonly missing: readonly OrderKey[]
  /** The place of the last one of all; null when there was none. */
  readonly last: OrderPlace | null
}

/**
 * Looks at the next orders that were taken (or settled), at most `limit`, and says which have no receipt. A page is held only
 * against the batches of its own span of time, so that any number of orders takes as long as they are many. But all open orders
 * are read for each page of them, as no index has them by time.
 * The ids are taken out of their batches first: joined as they stand, each would carry the keys of its whole batch along.
 */
export async function sweepPage(
  db: Db,
  orders: SweptOrders,
  { after, until, limit }: { readonly after: OrderPlace; readonly until: number; readonly limit: number },
): Promise<SweptPage> {
  const { kind, next, condition } = SEARCHES[orders]
  const { rows } = await sql<{ user_id: string; id: string; at_ms: bigint; is_missing: boolean }>`
    with page as materialized (${next(after, until, limit)}),
    batch as materialized (
      select keys || ''::bytea as keys from receipt_batch
      where kind = ${kind} and last_ms >= (select min(at_ms) from page)
        and last_ms <= (select max(at_ms) from page) + ${BATCH_SPAN_MS}::int8 and first_ms <= (select max(at_ms) from page)
    ),
    made as materialized (
      select substring(keys from 32 * leaf + 17 for 16) as id
      from batch cross join lateral generate_series(0, length(keys) / 32 - 1) as leaf
    ),
    without as materialized (
      select * from page p where p.has_facts and not exists (select 1 from made m where m.id = uuid_send(p.id))
    )
    (select user_id, id, at_ms, true as is_missing from without w ${condition} order by at_ms, id)
    union all (select user_id, id, at_ms, false from page order by at_ms desc, id desc limit 1)`.execute(db)
  const last = rows.find((row) => !row.is_missing)
  return {
    missing: rows.filter((row) => row.is_missing).map((row) => ({ userId: row.user_id, orderId: row.id })),
    last: last === undefined ? null : { atMs: Number(last.at_ms), orderId: last.id },
  }
}

/** Those of before there were receipts have no facts to sign. */
const nextTaken = (table: RawBuilder<unknown>) => (after: OrderPlace, until: number, limit: number) =>
  sql`
  select user_id, id, opened_ms as at_ms, head_seq is not null as has_facts from ${table}
  ${nextBy('opened_ms', after, until, limit)}`

const nextEnded = (after: OrderPlace, until: number, limit: number) => sql`
  select user_id, id, settled_ms as at_ms, head_seq is not null as has_facts, symbol_id, expires_ms from order_history
  ${nextBy('settled_ms', after, until, limit)}`

/**
 * Asked only of the few without a receipt, and by key (`limit 1`): for a whole page the planner would read all prices there
 * ever were.
 */
const hasPriceFacts = sql`
  where (
    select p.head_seq is not null from settlement_price p
    where p.symbol_id = w.symbol_id and p.expires_ms = w.expires_ms limit 1
  )`

/** The next ones by this column, and then by their ids. */
const nextBy = (column: 'opened_ms' | 'settled_ms', { atMs, orderId }: OrderPlace, until: number, limit: number) => sql`
  where ${sql.ref(column)} >= ${atMs}::int8 and ${sql.ref(column)} <= ${until}::int8
    and (${sql.ref(column)}, id) > (${atMs}::int8, ${orderId}::uuid)
  order by ${sql.ref(column)}, id limit ${limit}`

const SEARCHES = {
  open: { kind: 'accepted', next: nextTaken(sql`open_order`), condition: sql`` },
  ended: { kind: 'accepted', next: nextTaken(sql`order_history`), condition: sql`` },
  results: { kind: 'result', next: nextEnded, condition: hasPriceFacts },
} as const
