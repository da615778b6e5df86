import { type RawBuilder, sql } from 'kysely'
import { type BasisPoints, basisPoints, type Money, money } from '#core/money/money.ts'
import { type Price, price } from '#core/money/price.ts'
import { type Direction, type OrderResult, readDirection, readResult } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An open or settled order, as a row of the lists of its user. */
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
  /** When the order was settled; while it is open, when it was opened. */
  readonly updatedAt: Instant
  /** Null while the order is open. */
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
  /** Only orders with this result. */
  readonly result?: OrderResult | undefined
}

interface Page {
  readonly orders: ListedOrder[]
  readonly total: number
}

/** The columns of the rows of a list, in the order of `OpenRow` and `ClosedRow`. */
const OPEN_COLUMNS =
  'id, trx, symbol_id, seconds, direction, stake, profit_basis_points, entry_price, expires_ms, opened_ms'
const CLOSED_COLUMNS =
  'id, trx, symbol_id, seconds, direction, stake, profit_basis_points, entry_price, expires_ms, settled_ms, result, result_amount, exit_price, void_reason'
const openPage = pagesOf<OpenRow>('open_order', OPEN_COLUMNS, 'expires_ms, id')
/** The statement of `closedOrders`, exported for benchmarks. */
export const closedPage = pagesOf<ClosedRow>('order_history', CLOSED_COLUMNS, 'settled_ms desc, id desc')

/** Lists a page of open orders, soonest expiry first. */
export async function openOrders(db: Db, userId: string, slice: Slice): Promise<Page> {
  const { total, orders } = await readPage(db, openPage(userId, slice))
  return { orders: orders.map((row) => toListed(row, null)), total }
}

/** Lists a page of settled orders, latest settlement first. */
export async function closedOrders(db: Db, userId: string, slice: Slice): Promise<Page> {
  const { total, orders } = await readPage(db, closedPage(userId, slice))
  return { orders: orders.map(toClosed), total }
}

/**
 * Reads a page as one JSON value. With fifty rows of fourteen columns, parsing each value separately takes most of the
 * server's time for the page. All numbers stay far below 2^53, so JSON keeps them exactly.
 */
function pagesOf<Row>(table: string, columns: string, order: string) {
  const count = sql.raw(`select (select count(*) from ${table} where user_id =`)
  const rows = sql.raw(`(select coalesce(json_agg(json_build_array(${columns})), '[]') from (
    select ${columns} from ${table} where user_id =`)
  const sorted = sql.raw(`order by ${order}`)
  return (userId: string, { limit, offset, result }: Slice): RawBuilder<PageRow<Row>> => {
    const wanted = result === undefined ? sql`` : sql`and result = ${result}`
    return sql`${count} ${userId} ${wanted}) as total,
      ${rows} ${userId} ${wanted} ${sorted} limit ${limit} offset ${offset}) o) as orders`
  }
}

interface PageRow<Row> {
  readonly total: bigint
  readonly orders: readonly Row[]
}

async function readPage<Row>(db: Db, page: RawBuilder<PageRow<Row>>) {
  const { rows } = await page.execute(db)
  const [only] = rows
  assert(only, 'a page is one row')
  return { total: Number(only.total), orders: only.orders }
}

type OpenRow = readonly [
  id: string,
  trx: string,
  symbolId: number,
  seconds: number,
  direction: number,
  stake: number,
  payout: number,
  entryPrice: number,
  expiresMs: number,
  /** When an open order was opened, or when a settled order was settled. */
  updatedMs: number,
]

type ClosedRow = readonly [
  ...OpenRow,
  result: number,
  resultAmount: number,
  exitPrice: number | null,
  voidReason: string | null,
]

function toClosed(row: ClosedRow): ListedOrder {
  const [, , , , , , , , , , result, resultAmount, exitPrice, voidReason] = row
  return toListed(row, {
    result: readResult(result),
    resultAmount: money(resultAmount),
    exitPrice: exitPrice === null ? null : price(exitPrice),
    voidReason,
  })
}

function toListed(row: OpenRow | ClosedRow, end: ListedEnd | null): ListedOrder {
  const [id, trx, symbolId, seconds, direction, stake, payout, entryPrice, expiresMs, updatedMs] = row
  return {
    id,
    trx,
    symbolId,
    seconds,
    direction: readDirection(direction),
    stake: money(stake),
    payout: basisPoints(payout),
    entryPrice: price(entryPrice),
    expiresAt: instant(expiresMs),
    updatedAt: instant(updatedMs),
    end,
  }
}
