import { sql } from 'kysely'
import { BASE_CURRENCY, type Transfer } from '#core/ledger/transfer.ts'
import { price, volume } from '#core/money/price.ts'
import { CLOSE_KINDS } from '#core/ledger/transfer-kinds.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant, later } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { DueOrder } from '#server/trading/engine/due-order.ts'
import { loadDueOrders } from '#server/trading/engine/due-orders.queries.ts'
import { settleBatch } from '#server/trading/engine/settle.queries.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'

/**
 * Writes a settlement price, which is higher than the entry price, for each of these symbols at this expiry. Returns
 * the keys of the prices.
 */
export async function priceExpiry(db: Db, symbols: number, expiresAt: Instant): Promise<DueKey[]> {
  const keys = Array.from({ length: symbols }, (_, at) => ({ symbolId: 1 + at, expiresAt }))
  const tick = (symbolId: number, ms: number) => {
    const time = later(expiresAt, ms)
    const value = { symbolId, seq: 1_000_001, price: price(6_728_500), volume: volume(1), time, receivedAt: time }
    return { ...value, source: 'bench' }
  }
  const rows = keys.map((key) => ({
    ...key,
    exit: tick(key.symbolId, -10),
    next: tick(key.symbolId, 10),
    watermark: later(expiresAt, 10),
    voidReason: null,
    maxTickAgeMs: 5_000,
    head: { lastSeq: 1_000_002, hash: new Uint8Array(32) },
    writerToken: null,
  }))
  await writeSettlementPrices(db, rows, later(expiresAt, 20))
  return keys
}

/**
 * Measures orders settled per second as in the engine: orders are read with their price, decided, and written by the
 * engine's statement.
 */
export async function settleRate(db: Db, keys: readonly DueKey[], batch: number): Promise<number> {
  let settled = 0
  const started = performance.now()
  for (;;) {
    const due = await loadDueOrders(db, keys, batch)
    if (due.length === 0) break
    const rows = due.map((order) => ({ ...idsOf(order), settled: settleOrder(order.facts, order.price) }))
    settled += (await settleBatch(db, rows, instant(Date.now()))).length
  }
  return settled / ((performance.now() - started) / 1_000)
}

/**
 * Settles orders as a simple implementation would: with one transaction of several statements for each order. Returns
 * orders per second.
 */
export async function naiveRate(db: Db, keys: readonly DueKey[], orders: number): Promise<number> {
  const due = await loadDueOrders(db, keys, orders)
  assert(due.length === orders, 'there are as many orders to settle')
  const started = performance.now()
  for (const order of due) await settleOne(db, order)
  return orders / ((performance.now() - started) / 1_000)
}

async function settleOne(db: Db, due: DueOrder): Promise<void> {
  const { userId, orderId } = due
  const now = instant(Date.now())
  const { result, credit, profit, netChange } = settleOrder(due.facts, due.price)
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('open_order')
      .where('user_id', '=', userId)
      .where('id', '=', orderId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const exit = await tx
      .selectFrom('settlement_price')
      .select(['exit_seq', 'exit_price', 'exit_time_ms'])
      .where('symbol_id', '=', row.symbol_id)
      .where('expires_ms', '=', row.expires_ms)
      .executeTakeFirstOrThrow()
    const base = { userId, ref: orderId, currency: BASE_CURRENCY }
    const kind = CLOSE_KINDS[result]
    const stake = due.facts.stake
    const to = credit > 0n ? 'cash' : 'house:trading'
    const moves: Transfer[] = [{ ...base, step: 'close', kind, from: 'staked', to, amount: stake }]
    if (profit > 0n)
      moves.push({ ...base, step: 'profit', kind: 'order_profit', from: 'house:trading', to: 'cash', amount: profit })
    await postTransfers(tx, moves, now)
    const balance = await tx
      .updateTable('balance')
      .set({ open_orders: sql`open_orders - 1`, results: sql`results + 1` })
      .where('user_id', '=', userId)
      .where('currency', '=', BASE_CURRENCY)
      .returning(['cash', 'results'])
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('order_history')
      .values({
        ...row,
        ...exit,
        result,
        result_amount: netChange,
        balance_after: balance.cash,
        void_reason: null,
        settled_ms: now,
        result_number: balance.results,
      })
      .execute()
  })
}

function idsOf({ userId, orderId }: DueOrder) {
  return { userId, orderId }
}
