import { resultCode } from '#contract/wire.ts'
import { DRAW, type OrderResult, VOID } from '#core/orders/order.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { DRILL_STAKE, type DrillTrader } from '../lib/drill-trader.ts'

interface LoggedPrice {
  readonly seq: number
  readonly symbolId: number
  readonly price: number
  readonly time: number
}

/**
 * Lists all differences in the ledger, the tick log and the acknowledged orders.
 * The audit has its own rules and shares no code with the product.
 */
export async function auditDrill(db: Db, traders: readonly DrillTrader[]): Promise<string[]> {
  const wrong: string[] = []
  const ledger = await checkLedger(db)
  if (!ledger.clean) wrong.push(`the ledger: ${JSON.stringify(ledger.mismatches)}`)
  const chain = await verifyTickChain(db)
  if (!chain.ok) wrong.push(`the tick log, from ${chain.firstSeq}: ${chain.why}`)

  const prices = await readLog(db)
  const rows = await db
    .selectFrom('order_history')
    .innerJoin('settlement_price', (join) =>
      join
        .onRef('settlement_price.symbol_id', '=', 'order_history.symbol_id')
        .onRef('settlement_price.expires_ms', '=', 'order_history.expires_ms'),
    )
    .selectAll('order_history')
    .select(['settlement_price.head_seq as price_head', 'settlement_price.max_tick_age_ms as max_age'])
    .execute()
  const byName = new Map<string, typeof rows>()
  for (const row of rows) byName.set(row.client_order_id, [...(byName.get(row.client_order_id) ?? []), row])

  for (const { orders, results } of traders) {
    for (const { clientOrderId, id, type } of orders) {
      const [row, ...more] = byName.get(clientOrderId) ?? []
      if (row === undefined || row.id !== id) {
        wrong.push(`${clientOrderId} was acknowledged and is not there`)
        continue
      }
      if (more.length > 0) wrong.push(`${clientOrderId} is there ${more.length + 1} times`)
      const known = prices.filter(({ seq, symbolId }) => symbolId === row.symbol_id && seq <= Number(row.price_head))
      const expected = judge(known, {
        isUp: type === 'buy',
        entry: Number(row.entry_price),
        expiresAt: Number(row.expires_ms),
        maxAge: Number(row.max_age),
        payout: row.profit_basis_points,
      })
      const deliveries = results.get(row.id) ?? []
      if (deliveries.length === 0) wrong.push(`${clientOrderId}: nobody was told how it ended`)
      const check = (one: { result: number; amount: number }, result: number) => {
        if (one.result === result && one.amount === expected.amount) return
        wrong.push(`${clientOrderId}: ${JSON.stringify(one)} instead of ${result}, ${expected.amount}`)
      }
      check({ result: row.result, amount: Number(row.result_amount) / 100 }, expected.result)
      for (const delivery of deliveries) check(delivery, resultCode(expected.result))
    }
  }
  const acknowledged = new Set(traders.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
  for (const name of byName.keys()) if (!acknowledged.has(name)) wrong.push(`${name} was taken and never answered`)
  return wrong
}

async function readLog(db: Db): Promise<LoggedPrice[]> {
  const prices: LoggedPrice[] = []
  for await (const page of batchPages(db, 0)) {
    for (const { payload } of page) {
      for (const line of (payload ?? '').split('\n')) {
        if (!line.startsWith('t ')) continue
        const [, seq = 0, symbolId = 0, price = 0, , time = 0] = line.split(' ').map(Number)
        prices.push({ seq, symbolId, price, time })
      }
    }
  }
  return prices
}

/** Decides an order by the last price before its expiry. */
function judge(
  prices: readonly LoggedPrice[],
  order: { isUp: boolean; entry: number; expiresAt: number; maxAge: number; payout: number },
): { result: OrderResult; amount: number } {
  const last = prices.findLast(({ time }) => time <= order.expiresAt)
  if (last === undefined || last.time < order.expiresAt - order.maxAge) return { result: VOID, amount: 0 }
  if (last.price === order.entry) return { result: DRAW, amount: 0 }
  return last.price > order.entry === order.isUp
    ? { result: 1, amount: Math.floor((DRILL_STAKE * order.payout) / 100) / 100 }
    : { result: 2, amount: -DRILL_STAKE }
}
