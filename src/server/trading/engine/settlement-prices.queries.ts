import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import { TICKS_LEASE } from '#server/platform/cluster/lease.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import { type GroupPriceRow, writeDecidedPrices } from '#server/trading/engine/decided-prices.queries.ts'
import { heldShards, type SettleGuard } from '#server/trading/engine/held-shards.queries.ts'

/**
 * Writes settlement prices, and returns the expiries whose prices it wrote. The first writer wins: a stored price is
 * never changed.
 *
 * With a guard, it writes only prices of shards whose lease this node holds. A price that no next tick proves is
 * written only while the node that announced the watermark is still the writer of the log. A void because no price came
 * in time (`no_price_after_expiry`) is written only when this node has read the whole log.
 */
export async function writeSettlementPrices(
  db: Db,
  rows: readonly PriceRow[],
  now: Instant,
  guard: SettleGuard | null = null,
): Promise<DueKey[]> {
  const byRule1 = rows.filter(({ group }) => group === undefined)
  const byGroup = rows.filter((row): row is GroupPriceRow => row.group !== undefined)
  const written = await writePricesOfRule1(db, byRule1, now, guard)
  return [...written, ...(await writeDecidedPrices(db, byGroup, now, guard))]
}

async function writePricesOfRule1(
  db: Db,
  rows: readonly PriceRow[],
  now: Instant,
  guard: SettleGuard | null = null,
): Promise<DueKey[]> {
  if (rows.length === 0) return []
  if (guard !== null) return await writeGuardedPrices(db, rows, now, guard)
  const written = await db
    .insertInto('settlement_price')
    .values(
      rows.map((row) => ({
        symbol_id: row.symbolId,
        expires_ms: row.expiresAt,
        exit_seq: row.exit?.seq ?? null,
        exit_price: row.exit?.price ?? null,
        exit_time_ms: row.exit?.time ?? null,
        next_seq: row.next?.seq ?? null,
        next_price: row.next?.price ?? null,
        next_time_ms: row.next?.time ?? null,
        watermark_ms: row.watermark ?? 0,
        void_reason: row.voidReason,
        decided_ms: now,
        head_seq: row.head.lastSeq,
        max_tick_age_ms: row.maxTickAgeMs,
      })),
    )
    .onConflict((conflict) => conflict.columns(['symbol_id', 'expires_ms']).doNothing())
    .returning(['symbol_id', 'expires_ms'])
    .execute()
  return written.map((row) => ({ symbolId: row.symbol_id, expiresAt: instant(row.expires_ms) }))
}

async function writeGuardedPrices(
  db: Db,
  rows: readonly PriceRow[],
  now: Instant,
  guard: SettleGuard,
): Promise<DueKey[]> {
  const written = await sql<{ symbol_id: number; expires_ms: bigint }>`
    with ${heldShards(guard)},
    writer as materialized (select token from lease where name = ${TICKS_LEASE} for key share)
    insert into settlement_price (symbol_id, expires_ms, exit_seq, exit_price, exit_time_ms, next_seq, next_price,
      next_time_ms, watermark_ms, void_reason, decided_ms, head_seq, max_tick_age_ms)
    select r.symbol_id, r.expires_ms, r.exit_seq, r.exit_price, r.exit_time_ms, r.next_seq, r.next_price,
      r.next_time_ms, r.watermark_ms, r.void_reason, ${now}::int8, r.head_seq, r.max_tick_age_ms
    from unnest(
      ${rows.map((row) => row.symbolId)}::int4[],
      ${rows.map((row) => row.expiresAt)}::int8[],
      ${rows.map((row) => row.exit?.seq ?? null)}::int8[],
      ${rows.map((row) => row.exit?.price ?? null)}::int8[],
      ${rows.map((row) => row.exit?.time ?? null)}::int8[],
      ${rows.map((row) => row.next?.seq ?? null)}::int8[],
      ${rows.map((row) => row.next?.price ?? null)}::int8[],
      ${rows.map((row) => row.next?.time ?? null)}::int8[],
      ${rows.map((row) => row.watermark ?? 0)}::int8[],
      ${rows.map((row) => row.voidReason)}::text[],
      ${rows.map((row) => row.head.lastSeq)}::int8[],
      ${rows.map((row) => row.maxTickAgeMs)}::int4[],
      ${rows.map((row) => row.writerToken)}::int8[]
    ) as r (symbol_id, expires_ms, exit_seq, exit_price, exit_time_ms, next_seq, next_price, next_time_ms,
      watermark_ms, void_reason, head_seq, max_tick_age_ms, writer_token)
    join held on held.share = r.symbol_id % ${guard.shards}::int4
    where r.next_seq is not null
      or (r.writer_token = (select token from writer)
        and (r.void_reason is distinct from 'no_price_after_expiry'
          or not exists (select 1 from tick_batch b where b.first_seq > r.head_seq)))
    on conflict (symbol_id, expires_ms) do nothing
    returning symbol_id, expires_ms`.execute(db)
  return written.rows.map((row) => ({ symbolId: row.symbol_id, expiresAt: instant(row.expires_ms) }))
}
