import { sql } from 'kysely'
import type { SourceClass } from '#core/markets/source-class.ts'
import { basisPoints, type Money, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { readDirection } from '#core/orders/order.ts'
import type { LapseReason, SaleOrder } from '#core/orders/sale/sale-rule.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** An open order that may be sold. */
export interface OpenOrder {
  readonly orderId: string
  readonly userId: string
  /** The number of the undecided request to sell the order. Null without such a request. */
  readonly selling: number | null
  /** Null for orders of rule 1, which cannot be sold. */
  readonly facts: SaleOrder | null
}

export interface OrderRow {
  id: string
  user_id: string
  selling: number | null
  symbol_id: number
  entry_source: string
  evidence: string | null
  max_tick_age_ms: number | null
  direction: number
  stake: bigint
  profit_basis_points: number
  entry_price: bigint
  opened_ms: bigint
  expires_ms: bigint
}

export const ORDER_COLUMNS = [
  'id',
  'user_id',
  'selling',
  'symbol_id',
  'entry_source',
  'evidence',
  'max_tick_age_ms',
  'direction',
  'stake',
  'profit_basis_points',
  'entry_price',
  'opened_ms',
  'expires_ms',
] as const

/**
 * Finds an open order of the user. With `lock`, its row is locked until the end of the caller's transaction, so that
 * its settlement waits.
 */
export async function findOpenOrder(
  db: Db,
  { userId, orderId, lock = false }: { readonly userId: string; readonly orderId: string; readonly lock?: boolean },
): Promise<OpenOrder | null> {
  const row = await db
    .selectFrom('open_order')
    .select(ORDER_COLUMNS)
    .where('id', '=', orderId)
    .where('user_id', '=', userId)
    .$if(lock, (one) => one.forUpdate())
    .executeTakeFirst()
  return row === undefined ? null : toOpenOrder(row)
}

function toOpenOrder(row: OrderRow): OpenOrder {
  return { orderId: row.id, userId: row.user_id, selling: row.selling, facts: toSaleOrder(row) }
}

/** Returns the facts of an order that its sale needs. Null for orders of rule 1. */
export function toSaleOrder(row: OrderRow): SaleOrder | null {
  const { evidence, max_tick_age_ms: maxTickAgeMs } = row
  if (evidence === null || maxTickAgeMs === null) return null
  return {
    symbolId: row.symbol_id,
    source: row.entry_source,
    // The column contains only values of `SourceClass`.
    evidence: evidence as SourceClass,
    maxTickAgeMs,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.profit_basis_points),
    entryPrice: price(row.entry_price),
    openedAt: instant(row.opened_ms),
    expiresAt: instant(row.expires_ms),
  }
}

/** A stored request, and how it ended. */
export interface StoredRequest {
  readonly n: number
  readonly clientSaleId: string
  readonly requestedAt: Instant
  readonly least: Money
  readonly termsN: number
  readonly headQ: number
  /** How the request ended, with a reason if the order was not sold. Null while the request is undecided. */
  readonly end: { readonly reason: LapseReason | null } | null
}

/** Lists the requests to sell an order, newest first. */
export async function listRequests(db: Db, userId: string, orderId: string): Promise<StoredRequest[]> {
  const rows = await db
    .selectFrom('sale_request as r')
    .leftJoin('sale_end as e', (join) => join.onRef('e.order_id', '=', 'r.order_id').onRef('e.n', '=', 'r.n'))
    .select([
      'r.n',
      'r.client_sale_id',
      'r.requested_ms',
      'r.least',
      'r.terms_n',
      'r.head_seq',
      'e.n as end_n',
      'e.reason',
    ])
    .where('r.order_id', '=', orderId)
    .where('r.user_id', '=', userId)
    .orderBy('r.n', 'desc')
    .execute()
  return rows.map((row) => ({
    ...toRequest(row),
    end: row.end_n === null ? null : { reason: row.reason as LapseReason | null },
  }))
}

interface RequestRow {
  readonly n: number
  readonly client_sale_id: string
  readonly requested_ms: bigint
  readonly least: bigint
  readonly terms_n: bigint
  readonly head_seq: bigint
}

function toRequest(row: RequestRow): Omit<StoredRequest, 'end'> {
  return {
    n: row.n,
    clientSaleId: row.client_sale_id,
    requestedAt: instant(row.requested_ms),
    least: money(row.least),
    termsN: Number(row.terms_n),
    headQ: Number(row.head_seq),
  }
}

/** Stores a request. The caller must have locked the order. */
export async function insertRequest(
  tx: Tx,
  order: Pick<OpenOrder, 'orderId' | 'userId'>,
  request: Omit<StoredRequest, 'end'>,
): Promise<void> {
  const { orderId, userId } = order
  await tx
    .updateTable('open_order')
    .set({ selling: request.n })
    .where('id', '=', orderId)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .insertInto('sale_request')
    .values({
      order_id: orderId,
      n: request.n,
      user_id: userId,
      client_sale_id: request.clientSaleId,
      requested_ms: request.requestedAt,
      least: request.least,
      terms_n: request.termsN,
      head_seq: request.headQ,
    })
    .execute()
}

/** An undecided request with its order. */
export interface OpenRequest extends StoredRequest {
  readonly order: OpenOrder & { readonly facts: SaleOrder }
}

/** Lists undecided requests from before an instant, oldest first. */
export async function listUndecided(db: Db, before: Instant, limit: number): Promise<OpenRequest[]> {
  const { rows } = await sql<OrderRow & RequestRow>`
    select ${sql.join(ORDER_COLUMNS.map((column) => sql.ref(`o.${column}`)))},
      r.n, r.client_sale_id, r.requested_ms, r.least, r.terms_n, r.head_seq
    from open_order o join sale_request r on r.order_id = o.id and r.n = o.selling
    where o.selling is not null and r.requested_ms < ${before}::int8
    order by r.requested_ms, o.id limit ${limit}::int4`.execute(db)
  return rows.flatMap((row) => {
    const order = toOpenOrder(row)
    if (order.facts === null) return []
    return [{ ...toRequest(row), order: { ...order, facts: order.facts }, end: null }]
  })
}
