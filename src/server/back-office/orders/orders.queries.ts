import { type RawBuilder, sql } from 'kysely'
import { DRAW, LOSE, type OrderResult, readResult, SOLD, VOID, WIN } from '#core/orders/order.ts'
import { ordersByOpening } from '#server/trading/orders/orders-by-opening.queries.ts'
import type { Period } from '#server/platform/database/period.ts'
import { afterCursor, type Cursor, type Keyset, type Page } from '#server/platform/database/keyset-pagination.ts'
import { pricesOfOrder } from '#server/trading/engine/due-orders.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

export type OrderState = 'open' | 'won' | 'lost' | 'draw' | 'void' | 'sold'

export interface OrderFilters {
  readonly state: OrderState | null
  readonly symbol: string | null
  readonly userId: string | null
  /** The start of the order's reference. */
  readonly trx: string | null
  readonly period: Period
}

/** An order of any user, open or settled, as stored. */
export interface StaffOrder {
  readonly user_id: string
  readonly username: string
  readonly id: string
  readonly trx: string
  readonly client_order_id: string
  readonly symbol: string
  readonly decimals: number
  readonly symbol_id: number
  readonly seconds: number
  readonly direction: number
  readonly stake: bigint
  readonly profit_basis_points: number
  readonly rule_version: number
  readonly entry_seq: bigint
  readonly entry_price: bigint
  readonly entry_time_ms: bigint
  readonly entry_source: string
  readonly opened_ms: bigint
  readonly expires_ms: bigint
  readonly result: number | null
  readonly result_amount: bigint | null
  readonly balance_after: bigint | null
  readonly exit_seq: bigint | null
  readonly exit_price: bigint | null
  readonly exit_time_ms: bigint | null
  readonly void_reason: string | null
  readonly settled_ms: bigint | null
}

const RESULTS: Readonly<Record<OrderResult, OrderState>> = { 1: 'won', 2: 'lost', 3: 'draw', 4: 'void', 5: 'sold' }

export function orderState({ result }: Pick<StaffOrder, 'result'>): OrderState {
  return result === null ? 'open' : RESULTS[readResult(result)]
}

/** The orders with a start of a reference that are read at most for a page, latest reference first. */
const MAX_STARTED = 10_000

type Source = 'open_order' | 'order_history'

const NEWEST_FIRST: Keyset = {
  columns: [
    ['o.opened_ms', 'int8'],
    ['o.id', 'uuid'],
  ],
  order: 'desc',
}

/**
 * Lists orders by opening time, newest first. Practice orders are listed only for their account, or by their whole
 * reference.
 */
export async function listOrders(db: Db, filters: OrderFilters, place: Page): Promise<StaffOrder[]> {
  // Open orders are read first. So an order that settles between the two reads is found twice, and the map keeps it
  // once. In the other sequence it would be missing.
  const open = filters.state === null || filters.state === 'open' ? await read(db, 'open_order', filters, place) : []
  const settled = filters.state === 'open' ? [] : await read(db, 'order_history', filters, place)
  const byId = new Map([...open, ...settled].map((order) => [order.id, order]))
  return [...byId.values()].toSorted(newestFirst).slice(0, place.limit)
}

/** Finds an order by its reference, or null. */
export async function findOrder(db: Db, trx: string): Promise<StaffOrder | null> {
  for (const source of ['open_order', 'order_history'] as const) {
    const all = select(source, sql.table(source))
    const { rows } = await sql<StaffOrder>`${all} where o.trx = ${trx} limit 1`.execute(db)
    if (rows[0]) return rows[0]
  }
  return null
}

interface Decision {
  readonly next_seq: bigint | null
  readonly next_price: bigint | null
  readonly next_time_ms: bigint | null
  readonly decided_ms: bigint
  readonly watermark_ms: bigint
}

/**
 * Finds how the price at expiry of a settled order was decided. Returns null for an open order, and for an order that
 * was sold before its expiry.
 */
export async function findDecision(db: Db, orderId: string): Promise<Decision | null> {
  const { rows } = await sql<Decision>`
    select coalesce(p.next_seq, d.next_seq) as next_seq, coalesce(p.next_price, d.next_price) as next_price,
      coalesce(p.next_time_ms, d.next_time_ms) as next_time_ms, coalesce(p.decided_ms, d.decided_ms) as decided_ms,
      coalesce(p.watermark_ms, d.watermark_ms) as watermark_ms
    from order_history o ${pricesOfOrder}
    where o.id = ${orderId}::uuid and o.result <> ${sql.lit(SOLD)} and (p.symbol_id is not null or d.symbol_id is not null)`.execute(
    db,
  )
  return rows[0] ?? null
}

function newestFirst(a: StaffOrder, b: StaffOrder): number {
  if (a.opened_ms !== b.opened_ms) return a.opened_ms > b.opened_ms ? -1 : 1
  return a.id > b.id ? -1 : 1
}

async function read(db: Db, source: Source, filters: OrderFilters, { after, limit }: Page): Promise<StaffOrder[]> {
  const wanted = condition(source, filters, after)
  const { userId, period } = filters
  const orders =
    source === 'order_history' && userId !== null
      ? await ordersByOpening(db, { wanted, limit, period, after: after === null ? null : Number(after[0]) })
      : sql`(select * from ${sql.table(source)} o where ${wanted})`
  const { rows } = await sql<StaffOrder>`
    ${select(source, orders)}
    order by o.opened_ms desc, o.id desc limit ${limit}`.execute(db)
  return rows
}

/** Selects the columns of a `StaffOrder` from `orders`, which is a table or a subquery. */
function select(source: Source, orders: RawBuilder<unknown>): RawBuilder<unknown> {
  const outcome =
    source === 'order_history'
      ? sql`o.result, o.result_amount, o.balance_after, o.exit_seq, o.exit_price, o.exit_time_ms, o.void_reason, o.settled_ms`
      : sql`null::int2 as result, null::int8 as result_amount, null::int8 as balance_after, null::int8 as exit_seq,
          null::int8 as exit_price, null::int8 as exit_time_ms, null::text as void_reason, null::int8 as settled_ms`
  return sql`
    select o.user_id, coalesce(u.username, '') as username, o.id, o.trx, o.client_order_id, s.code as symbol, s.decimals,
      o.symbol_id, o.seconds, o.direction, o.stake, o.profit_basis_points, o.rule_version, o.entry_seq, o.entry_price,
      o.entry_time_ms, o.entry_source, o.opened_ms, o.expires_ms, ${outcome}
    from ${orders} o
    left join app_user u on u.id = o.user_id
    join market_symbol s on s.id = o.symbol_id`
}

/** Returns the SQL condition for the wanted orders `o`, with the place in the list after which they come. */
function condition(source: Source, filters: OrderFilters, after: Cursor | null): RawBuilder<unknown> {
  const wanted = sql.join([...conditions(source, filters, after), sql`true`], sql` and `)
  if (filters.trx === null) return wanted
  // The subquery makes PostgreSQL always use the index of references. References start with an encoded time, so many
  // share a start, and PostgreSQL would estimate wrongly. All conditions are within the subquery, so that its bound
  // counts only wanted orders. The bound is far above the orders of one page and of one step of the encoded time, so no
  // page misses an order.
  return sql`(o.user_id, o.id) in (
    select o.user_id, o.id from ${sql.table(source)} o
    where o.trx like ${`${filters.trx}%`} and ${wanted} order by o.trx using ~>~ limit ${sql.lit(MAX_STARTED)})`
}

function* conditions(source: Source, filters: OrderFilters, after: Cursor | null): Generator<RawBuilder<unknown>> {
  const { state, symbol, userId, trx, period } = filters
  if (userId !== null) yield sql`o.user_id = ${userId}::uuid`
  else if (trx === null) yield sql`not is_practice(o.user_id)`
  else yield sql`(o.trx = ${trx} or not is_practice(o.user_id))`
  if (symbol !== null) yield sql`o.symbol_id = (select id from market_symbol where code = ${symbol})`
  if (source === 'order_history' && state !== null) yield STATES[state]
  if (period.from !== null) yield sql`o.opened_ms >= ${period.from}::int8`
  if (period.until !== null) yield sql`o.opened_ms < ${period.until}::int8`
  if (after !== null) yield afterCursor(NEWEST_FIRST, after)
}

const STATES: Readonly<Record<OrderState, RawBuilder<unknown>>> = {
  open: sql`false`,
  won: sql`o.result = ${sql.lit(WIN)}`,
  lost: sql`o.result = ${sql.lit(LOSE)}`,
  draw: sql`o.result = ${sql.lit(DRAW)}`,
  void: sql`o.result = ${sql.lit(VOID)}`,
  sold: sql`o.result = ${sql.lit(SOLD)}`,
}
