import { sql } from 'kysely'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Instant } from '#core/time/instant.ts'
import { TICKS_LEASE } from '#server/platform/cluster/lease.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import { type GroupColumns, toDueKey } from '#server/trading/engine/expiries.queries.ts'
import { heldShards, type SettleGuard } from '#server/trading/engine/held-shards.queries.ts'

/** A decision about orders of rule 2 or later. */
export type GroupPriceRow = PriceRow & { readonly group: PriceGroup }

const pricesAsRows = (rows: readonly GroupPriceRow[]) => sql`
  unnest(
    ${rows.map((row) => row.symbolId)}::int4[],
    ${rows.map((row) => row.group.source)}::text[],
    ${rows.map((row) => row.expiresAt)}::int8[],
    ${rows.map((row) => row.group.maxTickAgeMs)}::int4[],
    ${rows.map((row) => row.group.rule)}::int4[],
    ${rows.map((row) => row.group.evidence)}::text[],
    ${rows.map((row) => row.exit?.seq ?? null)}::int8[],
    ${rows.map((row) => row.exit?.price ?? null)}::int8[],
    ${rows.map((row) => row.exit?.time ?? null)}::int8[],
    ${rows.map((row) => row.exit?.ref ?? null)}::int8[],
    ${rows.map((row) => row.next?.seq ?? null)}::int8[],
    ${rows.map((row) => row.next?.price ?? null)}::int8[],
    ${rows.map((row) => row.next?.time ?? null)}::int8[],
    ${rows.map((row) => row.next?.ref ?? null)}::int8[],
    ${rows.map((row) => row.sinceSeq ?? null)}::int8[],
    ${rows.map((row) => row.watermark ?? 0)}::int8[],
    ${rows.map((row) => row.voidReason)}::text[],
    ${rows.map((row) => row.isLate ?? false)}::boolean[],
    ${rows.map((row) => row.head.lastSeq)}::int8[],
    ${rows.map((row) => row.writerToken)}::int8[]
  ) as r (symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence, exit_seq, exit_price, exit_time_ms, exit_ref,
    next_seq, next_price, next_time_ms, next_ref, since_seq, watermark_ms, void_reason, is_late, head_seq, writer_token)`

/**
 * Selects the rows that this server may write when several servers share the work: only rows of its shards, as under
 * rule 1. A decision by trade numbers (`ids`) does not depend on the current writer of the tick log, because later
 * lines cannot change it. If such a decision is a void for another reason than `no_trade_before_expiry`, it is written
 * only while there is no newer late evidence.
 */
const guarded = ({ shards }: SettleGuard) => sql`
  join held on held.share = r.symbol_id % ${shards}::int4
  where case
    when r.evidence = 'ids' then r.void_reason is null or r.void_reason = 'no_trade_before_expiry'
      or not exists (select 1 from tick_batch b where b.is_late and b.first_seq > r.head_seq)
    else r.next_seq is not null
      or (r.writer_token = (select token from writer)
        and (r.void_reason is distinct from 'no_price_after_expiry'
          or not exists (select 1 from tick_batch b where b.first_seq > r.head_seq)))
    end`

/** Writes prices of rule 2 and later, and returns the expiries whose prices it wrote. See `writeSettlementPrices`. */
export async function writeDecidedPrices(
  db: Db,
  rows: readonly GroupPriceRow[],
  now: Instant,
  guard: SettleGuard | null,
): Promise<DueKey[]> {
  if (rows.length === 0) return []
  const held =
    guard === null
      ? sql``
      : sql`with ${heldShards(guard)},
    writer as materialized (select token from lease where name = ${TICKS_LEASE} for key share)`
  const written = await sql<GroupColumns & { symbol_id: number; expires_ms: bigint }>`
    ${held}
    insert into decided_price (symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence, exit_seq, exit_price, exit_time_ms,
      exit_ref, next_seq, next_price, next_time_ms, next_ref, since_seq, watermark_ms, void_reason, is_late, decided_ms, head_seq)
    select r.symbol_id, r.source, r.expires_ms, r.max_tick_age_ms, r.rule, r.evidence, r.exit_seq, r.exit_price, r.exit_time_ms,
      r.exit_ref, r.next_seq, r.next_price, r.next_time_ms, r.next_ref, r.since_seq, r.watermark_ms, r.void_reason, r.is_late,
      ${now}::int8, r.head_seq
    from ${pricesAsRows(rows)}
    ${guard === null ? sql`` : guarded(guard)}
    on conflict (symbol_id, expires_ms, source, max_tick_age_ms, rule, evidence) do nothing
    returning symbol_id, expires_ms, rule, source, max_tick_age_ms, evidence`.execute(db)
  return written.rows.map(toDueKey)
}
