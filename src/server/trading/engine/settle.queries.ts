import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Tick } from '#core/markets/tick.ts'
import { basisPoints, type Money, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { DRAW, type SettledFacts, type VoidReason, WIN, readDirection } from '#core/orders/order.ts'
import type { Settled, SettlementPrice } from '#core/orders/settle-order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type Fence, TICKS_LEASE } from '#server/platform/cluster/lease.queries.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'

/** A decision ready to be written: the ticks that prove it, or the reason why there is no price. */
export interface PriceRow extends DueKey {
  readonly exit: Tick | null
  readonly next: Tick | null
  readonly watermark: Instant | null
  readonly voidReason: VoidReason | null
  /** The maximum age of the price. */
  readonly maxTickAgeMs: number
  /** The newest tick of the log when the price was decided. */
  readonly head: LogHead
  /** The fencing token of the node that announced the watermark; null with a single node. */
  readonly writerToken: bigint | null
}

/** The shares of the symbols that this node settles: `symbol_id % shares`, with the lease of each. */
export interface SettleGuard {
  readonly shards: number
  readonly held: readonly (Fence & { readonly shard: number })[]
}

/**
 * The leases this node still holds, locked until the commit. A node that takes one over waits for that lock. So no decision under an old
 * lease can be committed after a decision of the new holder.
 */
function heldShares({ held }: SettleGuard) {
  return sql`held as materialized (
    select h.share from unnest(
      ${held.map(({ shard }) => shard)}::int4[], ${held.map(({ lease }) => lease)}::text[],
      ${held.map(({ token }) => token)}::int8[]
    ) as h (share, name, token)
    join lease l on l.name = h.name and l.token = h.token for key share of l
  )`
}

/**
 * Writes settlement prices and returns those it wrote. The first writer wins: a stored price is never changed.
 *
 * With a guard it writes only prices of shares this node holds. A price not proved by a next tick is written only while the node that
 * announced the watermark is still the writer of the log. A timeout is written only when this node has read the whole log.
 */
export async function writeSettlementPrices(
  db: Db,
  rows: readonly PriceRow[],
  now: Instant,
  guard: SettleGuard | null = null,
): Promise<DueKey[]> {
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
    with ${heldShares(guard)},
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

/** An open order whose settlement price is stored. */
export interface DueOrder {
  readonly userId: string
  readonly orderId: string
  readonly trx: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly facts: SettledFacts
  readonly price: SettlementPrice
  readonly ruleVersion: number
  readonly openedAt: Instant
  readonly entrySeq: number
  readonly entryTime: Instant
  /** The newest tick of the log when the order was accepted; null for orders older than this column. */
  readonly headSeq: number | null
}

/**
 * Open orders of these expiries with their stored price, at most `limit`. The database does not sort them, because that would read all of
 * them for each batch.
 */
export async function loadDueOrders(db: Db, keys: readonly DueKey[], limit: number): Promise<DueOrder[]> {
  const { rows } = await sql<{
    user_id: string
    id: string
    trx: string
    client_order_id: string
    symbol_id: number
    direction: number
    stake: bigint
    profit_basis_points: number
    entry_price: bigint
    expires_ms: bigint
    rule_version: number
    opened_ms: bigint
    entry_seq: bigint
    entry_time_ms: bigint
    head_seq: bigint | null
    exit_price: bigint | null
    void_reason: VoidReason | null
  }>`
    select o.user_id, o.id, o.trx, o.client_order_id, o.symbol_id, o.direction, o.stake, o.profit_basis_points, o.entry_price, o.expires_ms,
      o.rule_version, o.opened_ms, o.entry_seq, o.entry_time_ms, o.head_seq, p.exit_price, p.void_reason
    from unnest(${keys.map((key) => key.symbolId)}::int4[], ${keys.map((key) => key.expiresAt)}::int8[])
      as due(symbol_id, expires_ms)
    join settlement_price p on p.symbol_id = due.symbol_id and p.expires_ms = due.expires_ms
    join open_order o on o.symbol_id = due.symbol_id and o.expires_ms = due.expires_ms
    limit ${limit}`.execute(db)
  const orders = rows.map(
    (row): DueOrder => ({
      userId: row.user_id,
      orderId: row.id,
      trx: row.trx,
      clientOrderId: row.client_order_id,
      symbolId: row.symbol_id,
      facts: {
        direction: readDirection(row.direction),
        stake: money(row.stake),
        payout: basisPoints(row.profit_basis_points),
        entryPrice: price(row.entry_price),
        expiresAt: instant(row.expires_ms),
      },
      price:
        row.exit_price === null
          ? { kind: 'void', reason: row.void_reason ?? 'no_tick_before_expiry' }
          : { kind: 'price', exitPrice: price(row.exit_price) },
      ruleVersion: row.rule_version,
      openedAt: instant(row.opened_ms),
      entrySeq: Number(row.entry_seq),
      entryTime: instant(row.entry_time_ms),
      headSeq: row.head_seq === null ? null : Number(row.head_seq),
    }),
  )
  return orders.toSorted((a, b) => a.facts.expiresAt - b.facts.expiresAt || (a.orderId < b.orderId ? -1 : 1))
}

/** A settlement price that this server has decided and written. */
export interface WrittenPrice extends PriceRow {
  readonly decidedAt: Instant
}

/** A settled order with its former row and the settlement price of its expiry. */
export interface ClosedOrder {
  readonly order: SettledOrder
  readonly due: DueOrder
  readonly settledAt: Instant
  /** Null when another node wrote the price, or this one did before a failed attempt: then it has to be read from the database. */
  readonly price: WrittenPrice | null
}

export interface SettledRow {
  readonly userId: string
  readonly orderId: string
  readonly settled: Settled
}

/** The facts about an order that are known only once a batch has settled it. */
export interface CreditedOrder {
  readonly orderId: string
  readonly balanceAfter: Money
  readonly resultNumber: number
}

/** The settled order as sent to its user. */
export function settledOrder(
  due: DueOrder,
  { result, netChange }: Settled,
  { balanceAfter, resultNumber }: CreditedOrder,
): SettledOrder {
  const { userId, orderId, trx, clientOrderId, symbolId, facts, price: exit } = due
  const { direction, stake, entryPrice } = facts
  const exitColumns =
    exit.kind === 'price'
      ? { exitPrice: exit.exitPrice, voidReason: null }
      : { exitPrice: null, voidReason: exit.reason }
  const order = { userId, orderId, trx, clientOrderId, symbolId, direction, stake, entryPrice }
  return { ...order, ...exitColumns, result, resultAmount: netChange, balanceAfter, resultNumber }
}

/** Sort order of a batch before any row is locked. */
export function byUser(a: SettledRow, b: SettledRow): number {
  return a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0
}

/**
 * Settles a batch in one statement. An order moves to the history only if it was still open, so two settlers, a retry or a restart settle
 * it once. Its user also needs a balance to credit and, with a guard, this node must hold its share. The statement posts the transfers,
 * credits each balance once and numbers each result. Returns the orders this call settled, unsorted, with the balance after each and its
 * number.
 *
 * Rows are sorted by user, so all statements lock in the same order and neighbouring index entries are written together. The planner
 * estimates one row for a lookup by two columns, and would then compare all rows with all in the later steps. `lateral` with `limit 1`
 * tells it that there is one match for each row. `is true` leaves only the order's id for an index lookup: a planner that thinks the table
 * is empty might read all orders of the user. Settled and credited rows have the same users. Their `full join` never compares all with all,
 * and an order without a balance stops the statement instead of being lost.
 */
export async function settleBatch(
  db: Db,
  batch: readonly SettledRow[],
  now: Instant,
  guard: SettleGuard | null = null,
): Promise<CreditedOrder[]> {
  const orders = batch.toSorted(byUser)
  const isOurs = guard === null ? sql`` : sql`and o.symbol_id % ${guard.shards}::int4 in (select share from held)`
  const { rows } = await sql<{ id: string; balance_after: bigint; result_number: bigint }>`
    with ${guard === null ? sql`` : sql`${heldShares(guard)},`} input as (
      select * from unnest(
        ${orders.map((order) => order.userId)}::uuid[],
        ${orders.map((order) => order.orderId)}::uuid[],
        ${orders.map((order) => order.settled.result)}::int2[],
        ${orders.map((order) => order.settled.credit)}::int8[],
        ${orders.map((order) => order.settled.profit)}::int8[],
        ${orders.map((order) => order.settled.netChange)}::int8[]
      ) with ordinality as t(user_id, id, result, credit, profit, result_amount, place)
    ),
    found as (
      select i.*, o.*
      from input i
      cross join lateral (
        select o.ctid as tid, p.exit_seq, p.exit_price, p.exit_time_ms, p.void_reason
        from open_order o
        join settlement_price p on p.symbol_id = o.symbol_id and p.expires_ms = o.expires_ms
        join balance b on b.user_id = o.user_id and b.currency = ${BASE_CURRENCY}
        where o.id = i.id and (o.user_id = i.user_id) is true limit 1
      ) o
    ),
    taken as (
      delete from open_order o using found f where o.ctid = f.tid ${isOurs}
      returning o.*, f.result, f.credit, f.profit, f.result_amount, f.place, f.exit_seq, f.exit_price, f.exit_time_ms,
        f.void_reason
    ),
    sums as materialized (
      select user_id, sum(credit)::int8 as credit, sum(stake)::int8 as stakes, count(*)::int4 as orders
      from taken group by user_id order by user_id
    ),
    credited as (
      update balance b
      set cash = b.cash + s.credit, staked = b.staked - s.stakes, open_orders = b.open_orders - s.orders,
        results = b.results + s.orders
      from sums s where b.user_id = s.user_id and b.currency = ${BASE_CURRENCY}
      returning b.user_id, b.cash - s.credit as cash_before, b.results - s.orders as results_before
    ),
    moved as (
      insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select user_id, id, 'close',
        case when void_reason is not null then 'order_void' when result = ${DRAW}::int2 then 'order_draw'
             when result = ${WIN}::int2 then 'order_win' else 'order_lose' end,
        'staked', case when credit > 0 then 'cash' else 'house:trading' end, ${BASE_CURRENCY}, stake, ${now}::int8
      from taken
      union all
      select user_id, id, 'profit', 'order_profit', 'house:trading', 'cash', ${BASE_CURRENCY}, profit, ${now}::int8
      from taken where profit > 0
    ),
    history as (
      insert into order_history (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
        profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms,
        head_seq, received_ms, result, result_amount, balance_after, exit_seq, exit_price, exit_time_ms, void_reason, settled_ms,
        result_number)
      select t.user_id, t.id, t.client_order_id, t.trx, t.symbol_id, t.trade_setting_id, t.seconds, t.direction, t.stake,
        t.profit_basis_points, t.rule_version, t.entry_seq, t.entry_price, t.entry_time_ms, t.entry_source, t.opened_ms,
        t.expires_ms, t.head_seq, t.received_ms, t.result, t.result_amount,
        c.cash_before + sum(t.credit) over those_before,
        t.exit_seq, t.exit_price, t.exit_time_ms, t.void_reason, ${now}::int8,
        c.results_before + row_number() over those_before
      from taken t full join credited c on c.user_id = t.user_id
      window those_before as (partition by t.user_id order by t.place)
      returning id, balance_after, result_number
    )
    select id, balance_after, result_number from history`.execute(db)
  return rows.map((row) => ({
    orderId: row.id,
    balanceAfter: money(row.balance_after),
    resultNumber: Number(row.result_number),
  }))
}

/** The expiries of all open orders. Scans the whole table. */
export async function openExpiries(db: Db): Promise<DueKey[]> {
  return (await db.selectFrom('open_order').select(['symbol_id', 'expires_ms']).distinct().execute()).map(toDueKey)
}

/**
 * The expiries of open orders before `until`: for each symbol the soonest `most`. A loose index scan (PostgreSQL wiki) costs one look-up
 * per symbol, however many orders are open. Without it a large backlog would be read again in every round and grow further.
 */
export async function overdueExpiries(db: Db, until: Instant, limit: number): Promise<DueKey[]> {
  const { rows } = await sql<{ symbol_id: number; expires_ms: bigint }>`
    with recursive traded as (
      (select symbol_id from open_order order by symbol_id limit 1)
      union all
      select (select o.symbol_id from open_order o where o.symbol_id > t.symbol_id order by o.symbol_id limit 1)
      from traded t where t.symbol_id is not null
    )
    select o.symbol_id, o.expires_ms from traded t
    cross join lateral (
      select symbol_id, expires_ms from open_order
      where symbol_id = t.symbol_id and expires_ms < ${until}::int8
      group by symbol_id, expires_ms order by symbol_id, expires_ms limit ${limit}::int4
    ) o`.execute(db)
  return rows.map(toDueKey)
}

function toDueKey(row: { readonly symbol_id: number; readonly expires_ms: bigint }): DueKey {
  return { symbolId: row.symbol_id, expiresAt: instant(row.expires_ms) }
}
