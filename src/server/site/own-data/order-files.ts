import { type RawBuilder, sql } from 'kysely'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import { listMoneySteps } from '#server/proof/receipts/money-steps.queries.ts'
import { moneyReceiptsOf } from '#server/proof/receipts/find-money-receipts.ts'
import { findOrder, receiptsOf } from '#server/proof/receipts/find-receipt.ts'
import { type DataFile, SCHEMA } from '#server/site/own-data/data-file.ts'
import { amountOf, isoOf, joinedFile, priceOf, rowFile } from '#server/site/own-data/row-files.ts'

/** The columns that open and settled orders have in common: the terms of the order. */
const TERMS = {
  reference: sql`t.trx`,
  opened_at: isoOf('t.opened_ms'),
  expires_at: isoOf('t.expires_ms'),
  symbol: sql`s.code`,
  direction: sql`case t.direction when 1 then 'buy' else 'sell' end`,
  stake: amountOf('t.stake'),
  payout_percent: sql`trim_scale(t.profit_basis_points::numeric / 100)::text`,
  seconds: sql`t.seconds`,
  entry_at: isoOf('t.entry_time_ms'),
  entry_price: priceOf('t.entry_price'),
}
const NONE = sql`null::text`

/**
 * The orders of a user, open orders first. An order that settles while the file is made is in it twice, as open and as
 * settled. If settled orders came first, it could be missing.
 */
export const orders = joinedFile('orders.csv', [
  rowFile({
    name: 'orders.csv',
    columns: {
      ...TERMS,
      state: sql`'open'`,
      settled_at: NONE,
      exit_price: NONE,
      result: NONE,
      result_amount: NONE,
      void_reason: NONE,
      result_number: NONE,
    },
    from: sql`open_order t join market_symbol s on s.id = t.symbol_id`,
  }),
  rowFile({
    name: 'orders.csv',
    columns: {
      ...TERMS,
      state: sql`'settled'`,
      settled_at: isoOf('t.settled_ms'),
      exit_price: priceOf('t.exit_price'),
      result: sql`(array['win', 'lose', 'draw', 'void', 'sold'])[t.result]`,
      result_amount: amountOf('t.result_amount'),
      void_reason: sql`t.void_reason`,
      result_number: sql`t.result_number::text`,
    },
    from: sql`order_history t join market_symbol s on s.id = t.symbol_id`,
  }),
])

const TRANSFER_COLUMNS = ['at', 'kind', 'step', 'record', 'from', 'to', 'currency', 'amount'] as const
const TRANSFER = sql`${isoOf('t.created_ms')} as at, t.kind, t.step, t.ref::text as record, t.from_account as "from",
  t.to_account as "to", t.currency, ${amountOf('t.amount')} as amount`
/** SQL condition for the transfers that this file finds through their orders. Most of them are in no index by user. */
const OF_ORDERS = sql`t.kind in ('order_stake', 'order_win', 'order_lose', 'order_profit', 'order_draw', 'order_void')`
const PER_STEP = 1_000

interface TransferRow extends Record<(typeof TRANSFER_COLUMNS)[number], unknown> {
  readonly place: string
}

function transferLines(rows: readonly TransferRow[]): string {
  return rows.map((row) => csvLine([SCHEMA, ...TRANSFER_COLUMNS.map((column) => row[column])])).join('')
}

const otherTransfers: DataFile = {
  name: 'transfers.csv',
  async step({ ctx }, { userId }, place) {
    const after = place === null ? sql`` : sql`and (t.created_ms, t.ref, t.step) > ${placeOf(place)}`
    const { rows } = await sql<TransferRow>`
      select ${TRANSFER}, t.created_ms || ' ' || t.ref || ' ' || t.step as place from transfer t
      where t.user_id = ${userId}::uuid and ${NOT_OF_ORDERS} and not (${OF_ORDERS}) ${after}
      order by t.created_ms, t.ref, t.step limit ${PER_STEP}`.execute(ctx.db)
    const head = place === null ? `\uFEFF${csvLine(['schema', ...TRANSFER_COLUMNS])}` : ''
    return { content: head + transferLines(rows), next: rows.length < PER_STEP ? null : (rows.at(-1)?.place ?? null) }
  },
}

function placeOf(place: string) {
  const [at = '', ref = '', ...step] = place.split(' ')
  return sql`(${at}::int8, ${ref}::uuid, ${step.join(' ')}::text)`
}

/**
 * The transfers of open and settled orders. Each step reads the transfers of 1,000 orders. Because one statement reads
 * both tables, the file has each transfer once, also when an order settles while the file is made.
 */
const orderTransfers: DataFile = {
  name: 'transfers.csv',
  async step({ ctx }, { userId }, place) {
    const isNext = place === null || place === '' ? sql`` : sql`and id > ${place}::uuid`
    const idsIn = (table: RawBuilder<unknown>) => sql`
      (select id from ${table} where user_id = ${userId}::uuid ${isNext} order by id limit ${PER_STEP})`
    const { rows } = await sql<TransferRow>`
      with chosen as materialized (
        select id from (${idsIn(sql`open_order`)} union all ${idsIn(sql`order_history`)}) o order by id limit ${PER_STEP}
      )
      select ${TRANSFER}, o.id::text as place from chosen o
      left join transfer t on t.ref = o.id and t.user_id = ${userId}::uuid and ${OF_ORDERS}
      order by o.id, t.created_ms, t.step`.execute(ctx.db)
    const orderCount = new Set(rows.map((row) => row.place)).size
    const found = rows.filter(({ kind }) => kind !== null)
    return { content: transferLines(found), next: orderCount < PER_STEP ? null : (rows.at(-1)?.place ?? null) }
  },
}

/** The transfers of the user: first those that an index by user finds, then those of orders. */
export const transfers = joinedFile('transfers.csv', [otherTransfers, orderTransfers])

/** 100 receipts, because each receipt needs several reads. */
const RECEIPTS_PER_STEP = 100

/**
 * The signed receipts of settled orders, one JSON text in each line. An order whose receipt is not signed yet has no
 * line.
 */
export const orderReceipts: DataFile = {
  name: 'receipts/orders.jsonl',
  async step(parts, subject, place) {
    const rows = await parts.ctx.db
      .selectFrom('order_history')
      .select(['id', 'trx'])
      .where('user_id', '=', subject.userId)
      .$if(place !== null, (query) => query.where('id', '>', place ?? ''))
      .orderBy('id')
      .limit(RECEIPTS_PER_STEP)
      .execute()
    const lines: string[] = []
    for (const { trx } of rows) {
      const order = await findOrder(parts.ctx.db, trx)
      const found = order && (await receiptsOf(parts.ctx.db, parts.catalogue, order, true))
      if (found?.ok) lines.push(`${JSON.stringify({ schema: SCHEMA, reference: trx, ...found.value })}\n`)
    }
    return { content: lines.join(''), next: rows.length < RECEIPTS_PER_STEP ? null : (rows.at(-1)?.id ?? null) }
  },
}

/** The signed receipts of deposits, withdrawals and adjustments, one JSON text in each line. */
export const moneyReceipts: DataFile = {
  name: 'receipts/money.jsonl',
  async step({ ctx }, { userId }, place) {
    const rows = await ctx.db
      .selectFrom('money_step')
      .select('trx')
      .distinct()
      .where('user_id', '=', userId)
      .where('trx', '>', place ?? '')
      .orderBy('trx')
      .limit(RECEIPTS_PER_STEP)
      .execute()
    const lines: string[] = []
    for (const { trx } of rows) {
      const found = await moneyReceiptsOf(ctx, await listMoneySteps(ctx.db, trx), userId)
      if (found.ok) lines.push(`${JSON.stringify({ schema: SCHEMA, reference: trx, ...found.value })}\n`)
    }
    return { content: lines.join(''), next: rows.length < RECEIPTS_PER_STEP ? null : (rows.at(-1)?.trx ?? null) }
  },
}
