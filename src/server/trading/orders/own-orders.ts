import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#core/ids/uuid.ts'
import { type BasisPoints, basisPoints, type Money, money } from '#core/money/money.ts'
import { type Price, price } from '#core/money/price.ts'
import { type Direction, type OrderResult, readDirection, readResult } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An order as its user sees it, open or settled. */
export interface OwnOrder {
  readonly id: string
  readonly trx: string
  readonly clientOrderId: string
  readonly symbolId: number
  readonly seconds: number
  readonly direction: Direction
  readonly stake: Money
  readonly payout: BasisPoints
  readonly ruleVersion: number
  readonly entrySeq: number
  readonly entryPrice: Price
  readonly entryTime: Instant
  readonly entrySource: string
  /** Null for orders of rule 1. */
  readonly evidence: string | null
  readonly openedAt: Instant
  readonly expiresAt: Instant
  /** Null while the order is open. */
  readonly outcome: Outcome | null
}

export interface Outcome {
  readonly result: OrderResult
  readonly resultAmount: Money
  readonly exit: { readonly seq: number; readonly price: Price; readonly time: Instant } | null
  readonly voidReason: string | null
  readonly settledAt: Instant
}

/** Lists open orders, newest first. `after` is the last order of the previous page. */
export async function newestOpenOrders(db: Db, userId: string, { after, limit }: After): Promise<OwnOrder[]> {
  const rows = await db
    .selectFrom('open_order')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(after !== null, (all) => all.where(before(after, sql`opened_ms`)))
    .orderBy('opened_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toOpenOrder)
}

/** Lists settled orders, latest settlement first. `after` is the last order of the previous page. */
export async function newestClosedOrders(db: Db, userId: string, { after, limit }: After): Promise<OwnOrder[]> {
  const rows = await db
    .selectFrom('order_history')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(after !== null, (all) => all.where(before(after, sql`settled_ms`)))
    .orderBy('settled_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toClosedOrder)
}

interface After {
  readonly after: { readonly time: number; readonly id: string } | null
  readonly limit: number
}

function before(after: After['after'], column: RawBuilder<unknown>) {
  return sql<boolean>`(${column}, id) < (${after?.time ?? 0}::int8, ${after?.id ?? ''}::uuid)`
}

/**
 * Lists every open order and the `limit` orders that settled last, latest opening first. The server limits the open
 * orders of a user, and no number of newer orders may hide an open one.
 */
export async function recentOrders(db: Db, userId: string, limit: number): Promise<OwnOrder[]> {
  const open = await db.selectFrom('open_order').selectAll().where('user_id', '=', userId).execute()
  const closed = await db
    .selectFrom('order_history')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('settled_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const seen = new Map<string, OwnOrder>()
  // An order that settled between the two reads is in both lists. The settled version is newer.
  for (const order of [...open.map(toOpenOrder), ...closed.map(toClosedOrder)]) seen.set(order.id, order)
  return [...seen.values()].toSorted((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? 1 : -1))
}

/**
 * Finds an order of the user by its id or reference. Null when the user has no such order, even if another user has it.
 */
export async function findOwnOrder(db: Db, userId: string, idOrTrx: string): Promise<OwnOrder | null> {
  const isId = isUuid(idOrTrx)
  const column = isId ? 'id' : 'trx'
  const value = isId ? idOrTrx.toLowerCase() : idOrTrx.toUpperCase()
  const open = await db
    .selectFrom('open_order')
    .selectAll()
    .where('user_id', '=', userId)
    .where(column, '=', value)
    .executeTakeFirst()
  if (open) return toOpenOrder(open)
  const closed = await db
    .selectFrom('order_history')
    .selectAll()
    .where('user_id', '=', userId)
    .where(column, '=', value)
    .executeTakeFirst()
  return closed ? toClosedOrder(closed) : null
}

interface OrderRow {
  id: string
  trx: string
  client_order_id: string
  symbol_id: number
  seconds: number
  direction: number
  stake: bigint
  profit_basis_points: number
  rule_version: number
  entry_seq: bigint
  entry_price: bigint
  entry_time_ms: bigint
  entry_source: string
  evidence: string | null
  opened_ms: bigint
  expires_ms: bigint
}

interface ClosedRow extends OrderRow {
  result: number
  result_amount: bigint
  exit_seq: bigint | null
  exit_price: bigint | null
  exit_time_ms: bigint | null
  void_reason: string | null
  settled_ms: bigint
}

function toOpenOrder(row: OrderRow): OwnOrder {
  return {
    id: row.id,
    trx: row.trx,
    clientOrderId: row.client_order_id,
    symbolId: row.symbol_id,
    seconds: row.seconds,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.profit_basis_points),
    ruleVersion: row.rule_version,
    entrySeq: Number(row.entry_seq),
    entryPrice: price(row.entry_price),
    entryTime: instant(row.entry_time_ms),
    entrySource: row.entry_source,
    evidence: row.evidence,
    openedAt: instant(row.opened_ms),
    expiresAt: instant(row.expires_ms),
    outcome: null,
  }
}

function toClosedOrder(row: ClosedRow): OwnOrder {
  const { exit_seq: seq, exit_price: exitPrice, exit_time_ms: time } = row
  const hasExit = seq !== null && exitPrice !== null && time !== null
  const outcome: Outcome = {
    result: readResult(row.result),
    resultAmount: money(row.result_amount),
    exit: hasExit ? { seq: Number(seq), price: price(exitPrice), time: instant(time) } : null,
    voidReason: row.void_reason,
    settledAt: instant(row.settled_ms),
  }
  return { ...toOpenOrder(row), outcome }
}
