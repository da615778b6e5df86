import type { Opening } from '#server/app/opening.ts'
import { availableParallelism } from 'node:os'
import { placeOf } from '#server/app/cluster/join-cluster.ts'
import { isSecondTaker } from '#server/market-data/catalogue/save-cap.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { createEngine, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { meterStore } from '#server/app/meters/meter-store.ts'
import { findHistoryAnswer } from '#server/trading/evidence/history-question.queries.ts'
import { acquireSettleShards } from '#server/trading/engine/settle-shards.ts'
import { requireSameKey, takeIntoUse } from '#server/proof/receipts/signing-keys.queries.ts'
import { createReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { openSigningKey } from '#server/proof/receipts/signing-key.ts'
import type { Platform } from '#server/app/open-platform.ts'
import type { MarketData } from '#server/app/open-market-data.ts'

/** The lease of the one server that takes orders while an exposure cap is in force. */
const ORDERS_LEASE = 'orders'

/** Opens the engine and the receipts of its orders. The engine accepts no orders before the server starts. */
export async function openTrading(
  { config, overrides, lifecycle }: Opening,
  { ctx, database, metrics, faults }: Platform,
  { catalogue, nodes, ticks }: MarketData,
) {
  // At most one concurrent insert of orders for two cores. On a machine with two cores, a second insert would only take
  // a core from the server itself.
  const connections =
    overrides.connections ?? Math.min(database?.connections ?? 1, Math.ceil(availableParallelism() / 2))
  const signingKey = overrides.signingKey ?? (await openSigningKey(config.dataDir, config.signingKey))
  const receipts = createReceiptWorker(ctx, catalogue, signingKey, {
    cluster: nodes && { runsBackfill: () => nodes.leases.fenceOf('jobs') !== null },
  })
  const takesOrders = config.roles.has('api')
  const settles = config.roles.has('settle')
  const shares = nodes && settles ? acquireSettleShards(nodes.leases, () => engine.takeOver()) : null
  const store = createEngineStore(ctx, () => shares?.guard() ?? null, database ?? undefined)
  const engine: RunningEngine = createEngine({
    ctx,
    ticks,
    catalogue,
    readHistory: (question) => findHistoryAnswer(ctx.db, question),
    connections,
    ...(!settles ? { settles: false } : shares && { settles: shares }),
    store: metrics === null ? store : meterStore(ctx, store, metrics),
    onCommitted: (committed) => receipts.enqueue(committed),
    pressure: () => receipts.pressure(),
    isOnlyTaker: () => nodes === null || nodes.leases.fenceOf(ORDERS_LEASE) !== null,
    isFaulty: () => faults.stopping !== null,
  })
  if (takesOrders) {
    nodes?.leases.register({
      names: [ORDERS_LEASE],
      role: 'api',
      // Another server may have taken orders before this server got the lease, so the exposure must be counted again.
      onAcquired: () => engine.recountExposure(),
      onLost: () => undefined,
    })
  }
  const start = async (): Promise<void> => {
    if (!takesOrders && !settles) return
    if (takesOrders && nodes && (await isSecondTaker(ctx, placeOf(config, nodes.run)))) {
      throw new StartUpError(
        'caps_one_server: a cap is set, and another server takes orders. Caps work with one server that takes orders.',
      )
    }
    // A new signing key retires the current key. If other servers may sign receipts now, this server must use the same
    // key.
    const isAlone = nodes?.leases.peers().every(({ roles }) => roles.every((role) => role === 'feed')) ?? true
    if (!isAlone) await requireSameKey(ctx.db, signingKey)
    await takeIntoUse(ctx.db, signingKey, ctx.now())
    lifecycle.opened('receipts', () => receipts.stop())
    await receipts.start()
    lifecycle.opened('engine', () => engine.stop())
    await engine.start()
  }
  const owns = (symbolId: number): boolean => shares?.owns(symbolId) ?? true
  return { engine, receipts, signingKey, takesOrders, settles, owns, start }
}

export type Trading = Awaited<ReturnType<typeof openTrading>>
