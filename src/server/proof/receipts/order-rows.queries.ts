import { sql } from 'kysely'
import { readDecidedResult, readDirection, type VoidReason } from '#core/orders/order.ts'
import type { HeadFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { toHex } from '#core/proof/bytes.ts'
import type { SourceClass } from '#core/markets/source-class.ts'
import { groupOf, pricesOfOrder } from '#server/trading/engine/due-orders.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { SettledOrderFacts, AcceptedOrderFacts } from '#server/proof/receipts/order-facts.ts'
import { batchEndingAt } from '#server/market-data/tick-log/tick-batch.queries.ts'

export interface OrderKey {
  readonly userId: string
  readonly orderId: string
}

interface AcceptedRow {
  user_id: string
  id: string
  trx: string
  symbol_id: number
  direction: number
  stake: bigint
  profit_basis_points: number
  rule_version: number
  entry_seq: bigint
  entry_price: bigint
  entry_time_ms: bigint
  opened_ms: bigint
  expires_ms: bigint
  head_seq: bigint
  entry_source: string
  entry_ref: bigint | null
  evidence: SourceClass | null
  max_tick_age_ms: number | null
  terms_n: bigint | null
}

interface SettledRow extends AcceptedRow {
  settled_ms: bigint
  result: number
  void_reason: VoidReason | null
  exit_seq: bigint | null
  exit_price: bigint | null
  exit_time_ms: bigint | null
  exit_ref: bigint | null
  next_ref: bigint | null
  since_seq: bigint | null
  is_late: boolean | null
  next_seq: bigint | null
  next_price: bigint | null
  next_time_ms: bigint | null
  watermark_ms: bigint
  decided_ms: bigint
  decided_head_seq: bigint
  decided_age_ms: number
}

const ACCEPTED_COLUMNS = `o.user_id, o.id, o.trx, o.symbol_id, o.direction, o.stake, o.profit_basis_points, o.rule_version,
  o.entry_seq, o.entry_price, o.entry_time_ms, o.opened_ms, o.expires_ms, o.head_seq, o.entry_source, o.entry_ref,
  o.evidence, o.max_tick_age_ms, o.terms_n`

const DECISION = sql.raw(
  ['exit_seq', 'exit_price', 'exit_time_ms', 'next_seq', 'next_price', 'next_time_ms', 'watermark_ms', 'decided_ms']
    .map((column) => `coalesce(p.${column}, d.${column}) as ${column}`)
    .concat('coalesce(p.head_seq, d.head_seq) as decided_head_seq')
    .concat('coalesce(p.max_tick_age_ms, d.max_tick_age_ms) as decided_age_ms')
    .join(', '),
)

/**
 * Reads open and settled orders as they were accepted, in the order of the keys. Leaves out orders that are older than
 * the first receipts.
 */
export async function readAcceptedOrders(
  db: Db,
  keys: readonly OrderKey[],
): Promise<(AcceptedOrderFacts & { symbolId: number })[]> {
  const { rows } = await sql<AcceptedRow>`
    with k as materialized (select * from ${given(keys)})
    select ${sql.raw(ACCEPTED_COLUMNS)}, k.place from k join open_order o on o.user_id = k.user_id and o.id = k.id
    where o.head_seq is not null
    union all
    select ${sql.raw(ACCEPTED_COLUMNS)}, k.place from k join order_history o on o.user_id = k.user_id and o.id = k.id
    where o.head_seq is not null
    order by place`.execute(db)
  const heads = await readHeads(
    db,
    rows.map(({ head_seq }) => Number(head_seq)),
  )
  return rows.map((row) => toAcceptedFacts(row, heads))
}

/** Reads settled orders in the order of the keys, with the price decided for their expiry. */
export async function readSettledOrders(
  db: Db,
  keys: readonly OrderKey[],
): Promise<(SettledOrderFacts & { symbolId: number })[]> {
  const { rows } = await sql<SettledRow>`
    select ${sql.raw(ACCEPTED_COLUMNS)}, o.settled_ms, o.result, o.void_reason, ${DECISION}, d.exit_ref,
      d.next_ref, d.since_seq, d.is_late
    from ${given(keys)} join order_history o on o.user_id = k.user_id and o.id = k.id
    ${pricesOfOrder}
    where o.head_seq is not null and coalesce(p.head_seq, d.head_seq) is not null order by k.place`.execute(db)
  const heads = await readHeads(
    db,
    rows.flatMap(({ head_seq, decided_head_seq }) => [Number(head_seq), Number(decided_head_seq)]),
  )
  return rows.map((row) => ({
    ...toAcceptedFacts(row, heads),
    settledMs: Number(row.settled_ms),
    result: readDecidedResult(row.result),
    voidReason: row.void_reason,
    maxTickAgeMs: row.decided_age_ms,
    exit: withRef(row, toTick(row.exit_seq, row.exit_price, row.exit_time_ms), row.exit_ref),
    next: withRef(row, toTick(row.next_seq, row.next_price, row.next_time_ms), row.next_ref),
    isLate: row.is_late ?? false,
    sinceSeq: row.since_seq === null ? null : Number(row.since_seq),
    watermarkMs: Number(row.watermark_ms),
    decidedMs: Number(row.decided_ms),
    decidedHead: headOf(heads, row.decided_head_seq),
  }))
}

function given(keys: readonly OrderKey[]) {
  return sql`unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ orderId }) => orderId)}::uuid[])
    with ordinality as k (user_id, id, place)`
}

/** Reads the hashes of the tick log's batches that end at these sequence numbers. */
export async function readHeads(db: Db, seqs: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(seqs)]
  const { rows } = await sql<{ last_seq: bigint; hash: Uint8Array }>`
    select b.last_seq, b.hash from unnest(${wanted}::int8[]) as w (seq) cross join lateral (
      select last_seq, hash from tick_batch where first_seq <= w.seq order by first_seq desc limit 1
    ) b where b.last_seq = w.seq`.execute(db)
  const heads = new Map(rows.map(({ last_seq, hash }) => [Number(last_seq), toHex(hash)]))
  for (const seq of wanted) {
    if (heads.has(seq)) continue
    const batch = seq === 0 ? null : await batchEndingAt(db, seq)
    if (batch !== null) heads.set(seq, toHex(batch.hash))
  }
  return heads
}

function headOf(heads: ReadonlyMap<number, string>, seq: bigint): HeadFacts {
  const hash = heads.get(Number(seq))
  if (hash === undefined) throw new Error(`the tick log has no batch that ends at ${seq}`)
  return { q: Number(seq), hash }
}

function toAcceptedFacts(
  row: AcceptedRow,
  heads: ReadonlyMap<number, string>,
): AcceptedOrderFacts & { symbolId: number } {
  return {
    userId: row.user_id,
    orderId: row.id,
    trx: row.trx,
    symbolId: row.symbol_id,
    direction: readDirection(row.direction),
    stake: row.stake,
    payoutBp: row.profit_basis_points,
    ruleVersion: row.rule_version,
    group: groupOf(row),
    termsN: row.terms_n === null ? null : Number(row.terms_n),
    openedMs: Number(row.opened_ms),
    expiresMs: Number(row.expires_ms),
    entry: withRef(row, toTick(row.entry_seq, row.entry_price, row.entry_time_ms), row.entry_ref),
    head: headOf(heads, row.head_seq),
  }
}

/** Adds the provider's trade number, which only version 2 of the facts contains. */
function withRef<T extends TickFacts | null>(row: AcceptedRow, tick: T, ref: bigint | null): T {
  if (tick === null || groupOf(row) === undefined) return tick
  return { ...tick, ref: ref === null ? null : Number(ref) }
}

function toTick(seq: bigint, price: bigint, timeMs: bigint): TickFacts
function toTick(seq: bigint | null, price: bigint | null, timeMs: bigint | null): TickFacts | null
function toTick(seq: bigint | null, price: bigint | null, timeMs: bigint | null): TickFacts | null {
  if (seq === null || price === null || timeMs === null) return null
  return { q: Number(seq), price: Number(price), time_ms: Number(timeMs) }
}
