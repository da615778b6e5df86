import { type RawBuilder, sql } from 'kysely'
import { SOLD } from '#core/orders/order.ts'
import { type BatchKind, orderBatchKind, type OrderReceiptKind } from '#core/proof/receipt.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import { unpackKeys } from '#server/proof/receipts/packed-keys.ts'

/** The kinds of receipts that the backfill makes from rows. */
export type ReceiptKind = 'accepted' | 'result' | 'money'

/** The leaves of one tree in order, and the signature over its root. */
export interface ReceiptBatch {
  readonly id: string
  readonly kind: BatchKind
  /** When the first and the last of its orders were accepted or settled. At most a minute apart. */
  readonly firstMs: number
  readonly lastMs: number
  readonly keys: readonly OrderKey[]
  readonly signature: string
  readonly createdMs: number
}

export const BATCH_SPAN_MS = MINUTE_MS
/**
 * The backfill begins 10 minutes before the newest receipt, because several servers may die one after the other before
 * one completes a backfill.
 */
const LOOKS_BACK_MS = 10 * MINUTE_MS

export async function insertReceiptBatch(
  db: Db,
  batch: Omit<ReceiptBatch, 'keys'> & { readonly packedKeys: Buffer },
): Promise<void> {
  await sql`
    insert into receipt_batch (id, kind, first_ms, last_ms, keys, signature, made_ms) values (
      ${batch.id}, ${batch.kind}, ${batch.firstMs}, ${batch.lastMs}, ${batch.packedKeys}, ${batch.signature},
      ${batch.createdMs})`.execute(db)
}

/** Finds the batch of an order that was accepted or settled at `atMs`. Null while there is none. */
export async function findReceiptBatch(
  db: Db,
  kind: BatchKind,
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
    createdMs: Number(row.made_ms),
  }
}

/**
 * The sets of rows that the backfill searches. `open` and `ended` are the open and the settled orders, for acceptance
 * receipts. `results` are the settled orders, for result receipts. `steps` are the steps of deposits, withdrawals and
 * adjustments, for receipts of money.
 */
export type BackfillSource = 'open' | 'ended' | 'results' | 'steps'

/**
 * Returns the time from which receipts of this kind may be missing. Call it before making newer receipts. The row of a
 * money step says whether the step is signed, so all steps are searched. Receipts of practice orders are made in the
 * same rounds as those of money, so the newest receipt of either kind counts.
 * Receipts from the future are ignored: they were made before a clock that was ahead was set back.
 */
export async function sweepStart(db: Db, kind: OrderReceiptKind | 'money', now: Instant): Promise<number> {
  if (kind === 'money') return 0
  const [money, practice] = [await newestBatch(db, kind, now), await newestBatch(db, orderBatchKind(kind, true), now)]
  return Math.max(money, practice) - LOOKS_BACK_MS
}

async function newestBatch(db: Db, kind: BatchKind, now: Instant): Promise<number> {
  const newest = await db
    .selectFrom('receipt_batch')
    .select('last_ms')
    .where('kind', '=', kind)
    .where('last_ms', '<=', BigInt(now))
    .orderBy('last_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(newest?.last_ms ?? 0)
}

/** A position among the orders of a kind: by acceptance or settlement time, then by id. */
export interface OrderPlace {
  readonly atMs: number
  readonly orderId: string
}

/** Returns the position before all orders of that instant. */
export function beforeAllOf(atMs: number): OrderPlace {
  return { atMs, orderId: '00000000-0000-0000-0000-000000000000' }
}

/** One page of orders after a position. */
export interface BackfillPage {
  /** Orders without a receipt: committed just before a crash, or too many to keep in memory. */
  readonly missing: readonly OrderKey[]
  /** The position of the last order on the page. Null when the page is empty. */
  readonly last: OrderPlace | null
}

/**
 * Reads up to `limit` orders that were accepted or settled after a position, and returns those without a receipt.
 * A page is compared only with the batches of its own time span, so its cost does not grow with the history. But each
 * page of open orders reads all open orders, because no index has them by time.
 * The ids are extracted from their batches first. A direct join would carry the packed keys of a whole batch with each
 * id.
 */
export async function sweepPage(
  db: Db,
  orders: BackfillSource,
  { after, until, limit }: { readonly after: OrderPlace; readonly until: number; readonly limit: number },
): Promise<BackfillPage> {
  const { kinds, next, condition } = SEARCHES[orders]
  const { rows } = await sql<{ user_id: string; id: string; at_ms: bigint; is_missing: boolean }>`
    with page as materialized (${next(after, until, limit)}),
    batch as materialized (
      select keys || ''::bytea as keys from receipt_batch
      where kind in (${sql.join(kinds)}) and last_ms >= (select min(at_ms) from page)
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

/** An order without `head_seq` is older than the first receipts and has no facts to sign. */
const nextAccepted = (table: RawBuilder<unknown>) => (after: OrderPlace, until: number, limit: number) =>
  sql`
  select user_id, id, opened_ms as at_ms, head_seq is not null as has_facts from ${table}
  ${nextBy('opened_ms', after, until, limit)}`

const nextSettled = (after: OrderPlace, until: number, limit: number) => sql`
  select user_id, id, settled_ms as at_ms, head_seq is not null and result <> ${SOLD}::int2 as has_facts, symbol_id, expires_ms, rule_version from order_history
  ${nextBy('settled_ms', after, until, limit)}`

/** Selects the steps after a position that no batch of receipts contains. */
const nextSteps = ({ atMs, orderId }: OrderPlace, _until: number, limit: number) => sql`
  select user_id, id, at_ms, true as has_facts from money_step
  where batch_id is null and (at_ms, id) > (${atMs}::int8, ${orderId}::uuid)
  order by at_ms, id limit ${limit}`

/**
 * Whether the facts about the price of an order are stored. PostgreSQL runs this by key (`limit 1`), only for the few
 * orders without a receipt. For a whole page, the planner would read all stored prices.
 */
const hasPriceFacts = sql`
  where (
    select w.rule_version > 1 or p.head_seq is not null from (select 1) as one left join settlement_price p
      on p.symbol_id = w.symbol_id and p.expires_ms = w.expires_ms limit 1
  )`

/** Sorts the rows by this column, then by id, and starts after the position. */
const nextBy = (column: 'opened_ms' | 'settled_ms', { atMs, orderId }: OrderPlace, until: number, limit: number) => sql`
  where ${sql.ref(column)} >= ${atMs}::int8 and ${sql.ref(column)} <= ${until}::int8
    and (${sql.ref(column)}, id) > (${atMs}::int8, ${orderId}::uuid)
  order by ${sql.ref(column)}, id limit ${limit}`

const SEARCHES = {
  open: { kinds: ['accepted', 'practice_accepted'], next: nextAccepted(sql`open_order`), condition: sql`` },
  ended: { kinds: ['accepted', 'practice_accepted'], next: nextAccepted(sql`order_history`), condition: sql`` },
  results: { kinds: ['result', 'practice_result'], next: nextSettled, condition: hasPriceFacts },
  steps: { kinds: ['money'], next: nextSteps, condition: sql`` },
} as const
