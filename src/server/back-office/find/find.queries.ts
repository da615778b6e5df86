import { type RawBuilder, sql } from 'kysely'
import type { Found } from '#contract/back-office/find.ts'
import { readTrxStart } from '#core/orders/trx.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The maximum number of results of each kind. */
export const MAX_FOUND = 5
/** People recognise a reference by its last 5 characters. */
const END_LENGTH = 5

/**
 * Returns how a text can match a reference: as its start with `FW-`, or as its last five characters. Null if neither.
 */
function readTrx(text: string): { readonly start: string } | { readonly end: string } | null {
  const start = readTrxStart(text)
  if (start !== null) return { start }
  const reference = text.toUpperCase()
  return /^[0-9A-Z]+$/.test(reference) && reference.length === END_LENGTH ? { end: reference } : null
}

/**
 * Finds orders by the start of their reference. The end of a reference has no index, and there are too many orders to
 * read them all.
 */
export async function findOrders(db: Db, text: string): Promise<Found[]> {
  const reference = readTrx(text)
  if (reference === null || !('start' in reference)) return []
  const start = `${reference.start}%`
  const of = (table: 'open_order' | 'order_history') => sql`
    select o.trx, o.user_id, o.symbol_id from ${sql.table(table)} o where o.trx like ${start} limit ${MAX_FOUND}`
  const { rows } = await sql<Found>`
    select o.trx as id, o.trx as title, coalesce(u.username, '') || ', ' || s.code as line
    from ((${of('open_order')}) union (${of('order_history')})) o
    left join app_user u on u.id = o.user_id
    join market_symbol s on s.id = o.symbol_id
    order by o.trx desc limit ${MAX_FOUND}`.execute(db)
  return rows
}

/** Finds deposits by the start or the end of their reference. */
export async function findDeposits(db: Db, text: string): Promise<Found[]> {
  return await findPayments(db, 'deposit', byReference(text))
}

/** Finds withdrawals by the start or the end of their reference, or by the whole reference of their payment. */
export async function findWithdrawals(db: Db, text: string): Promise<Found[]> {
  const byPayment = sql`p.reference = ${text}`
  const byTrx = byReference(text)
  return await findPayments(db, 'withdrawal', byTrx === null ? byPayment : sql`(${byTrx} or ${byPayment})`)
}

function byReference(text: string): RawBuilder<unknown> | null {
  const reference = readTrx(text)
  if (reference === null) return null
  if ('end' in reference) return sql`right(p.trx, ${sql.lit(END_LENGTH)}) = ${reference.end}`
  return sql`p.trx like ${`${reference.start}%`}`
}

async function findPayments(
  db: Db,
  table: 'deposit' | 'withdrawal',
  wanted: RawBuilder<unknown> | null,
): Promise<Found[]> {
  if (wanted === null) return []
  const { rows } = await sql<Found>`
    select p.trx as id, p.trx as title, coalesce(u.username, '') || ', ' || g.name as line
    from ${sql.table(table)} p
    left join app_user u on u.id = p.user_id
    join gateway g on g.id = p.gateway_id
    where ${wanted}
    order by p.created_ms desc limit ${MAX_FOUND}`.execute(db)
  return rows
}
