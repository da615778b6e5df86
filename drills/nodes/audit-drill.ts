import { resultCode } from '#contract/wire.ts'
import { readResult } from '#core/orders/order.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { storedOrders } from '../lib/audit.ts'
import type { DrillTrader } from '../lib/drill-trader.ts'
import { expectedEnd, type StoredOrder } from '../lib/expected-end.ts'
import { readPrices } from '../lib/logged-prices.ts'

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

  const prices = await readPrices(db)
  const byName = new Map<string, StoredOrder[]>()
  for (const order of (await storedOrders(db, await allUsers(db))).values())
    byName.set(order.clientOrderId, [...(byName.get(order.clientOrderId) ?? []), order])
  for (const { orders, results } of traders) {
    for (const { clientOrderId, id } of orders) {
      const [order, ...more] = byName.get(clientOrderId) ?? []
      if (order === undefined || order.id !== id) {
        wrong.push(`${clientOrderId} was acknowledged and is not there`)
        continue
      }
      if (more.length > 0) wrong.push(`${clientOrderId} is there ${more.length + 1} times`)
      const expected = expectedEnd(order, prices)
      const amount = Number(expected.change) / 100
      if (order.result !== expected.result || order.resultAmount !== expected.change)
        wrong.push(`${clientOrderId}: ${order.result}, ${order.resultAmount} instead of ${expected.result}, ${amount}`)
      const deliveries = results.get(order.id) ?? []
      if (deliveries.length === 0) wrong.push(`${clientOrderId}: nobody was told how it ended`)
      for (const delivery of deliveries)
        if (delivery.result !== resultCode(readResult(expected.result)) || delivery.amount !== amount)
          wrong.push(`${clientOrderId}: its user was told ${JSON.stringify(delivery)} instead of ${amount}`)
    }
  }
  const acknowledged = new Set(traders.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
  for (const name of byName.keys()) if (!acknowledged.has(name)) wrong.push(`${name} was taken and never answered`)
  return wrong
}

async function allUsers(db: Db): Promise<string[]> {
  return (await db.selectFrom('app_user').select('id').execute()).map(({ id }) => id)
}
