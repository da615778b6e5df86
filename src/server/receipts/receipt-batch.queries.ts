import { sql } from 'kysely'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'
import type { OrderKey } from '#server/receipts/order-rows.queries.ts'
import { unpackKeys } from '#server/receipts/packed-keys.ts'

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

/**
 * Orders that were taken (or settled) in this time and have no receipt, the oldest first: those between a commit and a crash.
 * The ids are taken out of their batches first: joined as they stand, each would carry the keys of its whole batch along.
 */
export async function ordersWithoutReceipt(
  db: Db,
  kind: ReceiptKind,
  { since, until, limit }: { readonly since: number; readonly until: number; readonly limit: number },
): Promise<OrderKey[]> {
  const { rows } = await sql<{ user_id: string; id: string }>`
    with batch as materialized (
      select keys || ''::bytea as keys from receipt_batch where kind = ${kind} and last_ms >= ${since}::int8
    ),
    made as materialized (
      select substring(keys from 32 * leaf + 17 for 16) as id
      from batch cross join lateral generate_series(0, length(keys) / 32 - 1) as leaf
    )
    select o.user_id, o.id from ${sql.raw(CANDIDATES[kind])}
    where o.at_ms >= ${since}::int8 and o.at_ms <= ${until}::int8 and o.head_seq is not null and not exists (select 1 from made m where m.id = uuid_send(o.id))
    order by o.at_ms, o.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, orderId: row.id }))
}

const CANDIDATES = {
  accepted: `(
    select user_id, id, opened_ms as at_ms, head_seq from open_order
    union all select user_id, id, opened_ms, head_seq from order_history
  ) o`,
  result: `(
    select h.user_id, h.id, h.settled_ms as at_ms, least(h.head_seq, p.head_seq) as head_seq
    from order_history h join settlement_price p on p.symbol_id = h.symbol_id and p.expires_ms = h.expires_ms
    where p.head_seq is not null
  ) o`,
}
