import { sql } from 'kysely'
import { type BasisPoints, basisPoints, type Money, money } from '#core/money/money.ts'
import { type Price, price } from '#core/money/price.ts'
import { type Direction, type OrderResult, readDirection, readResult } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'

/** An order as a line of its owner's lists, running or settled. */
export interface ListedOrder {
  readonly id: string
  readonly trx: string
  readonly symbolId: number
  readonly seconds: number
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly entryPrice: Price
  readonly expiresAt: Instant
  /** When it was settled; while it runs, when it was opened. */
  readonly updatedAt: Instant
  /** Null while it runs. */
  readonly end: ListedEnd | null
}

interface ListedEnd {
  readonly result: OrderResult
  readonly resultAmount: Money
  readonly exitPrice: Price | null
  readonly voidReason: string | null
}

interface Slice {
  readonly limit: number
  readonly offset: number
}

interface Page {
  readonly orders: ListedOrder[]
  readonly total: number
}

/** What is shown of an order, and nothing else of its row. */
const OPEN_COLUMNS =
  'id, trx, symbol_id, seconds, direction, stake, profit_basis_points, entry_price, expires_ms, opened_ms'
export const CLOSED_COLUMNS =
  'id, trx, symbol_id, seconds, direction, stake, profit_basis_points, entry_price, expires_ms, settled_ms, result, result_amount, exit_price, void_reason'

// Written out: these are the lists that are asked for most, and building them anew each time costs as much as reading 50 rows.

/** Running orders, the next to expire first. */
export async function openOrders(db: Db, userId: string, { limit, offset }: Slice): Promise<Page> {
  const page = sql<OpenRow>`select ${sql.raw(OPEN_COLUMNS)} from open_order where user_id = ${userId}
    order by expires_ms, id limit ${limit} offset ${offset}`
  const count = sql<Count>`select count(*) as total from open_order where user_id = ${userId}`
  const [{ rows }, counted] = await Promise.all([page.execute(db), count.execute(db)])
  return { orders: rows.map(toOpen), total: totalOf(counted) }
}

/** Settled orders, newest first. */
export async function closedOrders(db: Db, userId: string, { limit, offset }: Slice): Promise<Page> {
  const page = sql<ClosedRow>`select ${sql.raw(CLOSED_COLUMNS)} from order_history where user_id = ${userId}
    order by settled_ms desc, id desc limit ${limit} offset ${offset}`
  const count = sql<Count>`select count(*) as total from order_history where user_id = ${userId}`
  const [{ rows }, counted] = await Promise.all([page.execute(db), count.execute(db)])
  return { orders: rows.map(toClosed), total: totalOf(counted) }
}

interface Count {
  readonly total: bigint
}

function totalOf({ rows }: { readonly rows: readonly Count[] }): number {
  return Number(rows[0]?.total ?? 0n)
}

interface Row {
  id: string
  trx: string
  symbol_id: number
  seconds: number
  direction: number
  stake: bigint
  profit_basis_points: number
  entry_price: bigint
  expires_ms: bigint
}

interface OpenRow extends Row {
  opened_ms: bigint
}

interface ClosedRow extends Row {
  settled_ms: bigint
  result: number
  result_amount: bigint
  exit_price: bigint | null
  void_reason: string | null
}

function toOpen(row: OpenRow): ListedOrder {
  return toListed(row, row.opened_ms, null)
}

function toClosed(row: ClosedRow): ListedOrder {
  return toListed(row, row.settled_ms, {
    result: readResult(row.result),
    resultAmount: money(row.result_amount),
    exitPrice: row.exit_price === null ? null : price(row.exit_price),
    voidReason: row.void_reason,
  })
}

function toListed(row: Row, updated: bigint, end: ListedEnd | null): ListedOrder {
  return {
    id: row.id,
    trx: row.trx,
    symbolId: row.symbol_id,
    seconds: row.seconds,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.profit_basis_points),
    entryPrice: price(row.entry_price),
    expiresAt: instant(row.expires_ms),
    updatedAt: instant(updated),
    end,
  }
}
