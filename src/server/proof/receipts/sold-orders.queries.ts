import { type Selectable, sql } from 'kysely'
import { currencyOf } from '#core/ledger/transfer.ts'
import { saleOwnerText } from '#core/proof/sale-facts.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db, Tables } from '#server/platform/database/tables.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import { BATCH_SPAN_MS, sweepStart } from '#server/proof/receipts/receipt-batch.queries.ts'

/** The facts of a sale, as its receipt contains them. */
export interface SoldOrder {
  readonly requestedMs: number
  readonly termsN: number
  readonly requestedQ: number
  readonly tick: { readonly q: number; readonly price: number; readonly time_ms: number; readonly ref: number | null }
  readonly receivedMs: number
  readonly movement: string
  readonly win: number
  readonly same: number
  readonly decidedMs: number
  /** The sequence number of the tick log's head when the sale was decided. */
  readonly headQ: number
  /** The text with the amounts of the sale, which only the user gets. */
  readonly ownerText: string
}

type Row = Selectable<Tables['sale_end']> & {
  readonly requested_ms: bigint
  readonly least: bigint
  readonly terms_n: bigint
  readonly requested_seq: bigint
  readonly exit_price: bigint
  readonly exit_time_ms: bigint
}

/** Finds the sale of an order. Null when it was not sold. */
export async function findSale(db: Db, orderId: string): Promise<SoldOrder | null> {
  return (await readSales(db, [orderId])).get(orderId) ?? null
}

/** Reads the sales of orders by order id. */
export async function readSales(db: Db, orderIds: readonly string[]): Promise<ReadonlyMap<string, SoldOrder>> {
  const { rows } = await sql<Row>`
    select e.*, r.requested_ms, r.least, r.terms_n, r.head_seq as requested_seq, h.exit_price, h.exit_time_ms
    from sale_end e join sale_request r using (order_id, n) join order_history h on h.id = e.order_id and h.user_id = e.user_id
    where e.order_id = any(${orderIds}::uuid[]) and e.reason is null`.execute(db)
  return new Map(rows.map((row) => [row.order_id, toSold(row)]))
}

function toSold(row: Row): SoldOrder {
  return {
    requestedMs: Number(row.requested_ms),
    termsN: Number(row.terms_n),
    requestedQ: Number(row.requested_seq),
    tick: {
      q: Number(row.tick_seq),
      price: Number(row.exit_price),
      time_ms: Number(row.exit_time_ms),
      ref: row.tick_ref === null ? null : Number(row.tick_ref),
    },
    receivedMs: Number(row.received_ms),
    movement: String(row.movement),
    win: Number(row.win),
    same: Number(row.same),
    decidedMs: Number(row.decided_ms),
    headQ: Number(row.head_seq),
    ownerText: saleOwnerText({
      order: row.order_id,
      stake: String(row.stake),
      currency: currencyOf(row.user_id),
      least: String(row.least),
      gross: String(row.gross),
      fee: String(row.fee),
      paid: String(row.paid),
    }),
  }
}

/** Lists the sales whose receipt is missing, oldest first. */
export async function listUnsignedSales(db: Db, now: Instant, limit: number): Promise<OrderKey[]> {
  const since = await sweepStart(db, 'sale', now)
  const { rows } = await sql<{ user_id: string; order_id: string }>`
    select e.user_id, e.order_id from sale_end e
    where e.reason is null and e.decided_ms >= ${since}::int8 and not exists (
      select from receipt_batch b where b.kind in ('sale', 'practice_sale') and b.last_ms >= e.decided_ms
        and b.last_ms <= e.decided_ms + ${BATCH_SPAN_MS}::int8 and position(uuid_send(e.order_id) in b.keys) > 0)
    order by e.decided_ms, e.order_id limit ${limit}::int4`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, orderId: row.order_id }))
}
