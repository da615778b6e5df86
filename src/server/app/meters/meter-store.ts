import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { dueKeyText } from '#server/trading/engine/due-index.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'

/** Measures the duration of the engine's store calls and the settlement delay. */
export function meterStore({ now }: Pick<Ctx, 'now'>, store: EngineStore, metrics: Metrics): EngineStore {
  /** Expiries of the orders that were loaded for settlement. */
  const expiries = new Map<string, Instant>()
  return {
    ...store,
    async acceptWholeUsers(orders, ...how) {
      metrics.acceptSize.observe(orders.length)
      return await timed(metrics.acceptSeconds, () => store.acceptWholeUsers(orders, ...how))
    },
    async acceptBatch(orders, ...how) {
      return await timed(metrics.acceptSeconds, () => store.acceptBatch(orders, ...how))
    },
    async writeSettlementPrices(rows, at) {
      const written = await store.writeSettlementPrices(rows, at)
      const isWritten = new Set(written.map(dueKeyText))
      for (const row of rows) {
        if (row.voidReason !== null && isWritten.has(dueKeyText(row))) metrics.voids.inc({ reason: row.voidReason })
      }
      return written
    },
    async loadDueOrders(keys, limit) {
      const orders = await store.loadDueOrders(keys, limit)
      expiries.clear()
      for (const { orderId, facts } of orders) expiries.set(orderId, facts.expiresAt)
      return orders
    },
    async settleBatch(...args) {
      const settled = await timed(metrics.settleSeconds, () => store.settleBatch(...args))
      metrics.settleSize.observe(settled.length)
      for (const { orderId } of settled) {
        const expiresAt = expiries.get(orderId)
        if (expiresAt !== undefined) metrics.lateSeconds.observe((now() - expiresAt) / 1000)
      }
      return settled
    },
    async checkLedger(kind) {
      const report = await store.checkLedger(kind)
      metrics.ledgerChecks.inc({ found: report.clean ? 'clean' : 'mismatch' })
      return report
    },
  }
}

async function timed<T>(histogram: Metrics['acceptSeconds'], work: () => Promise<T>): Promise<T> {
  const end = histogram.startTimer()
  try {
    return await work()
  } finally {
    end()
  }
}
