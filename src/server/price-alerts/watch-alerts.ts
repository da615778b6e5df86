import { later, SECOND_MS } from '#core/time/instant.ts'
import { AlertWatcher } from '#server/price-alerts/alert-watcher.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { LeaseRequest } from '#server/platform/cluster/lease-request.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

interface WatchParts {
  readonly ctx: Ctx
  readonly ticks: Pick<Ticks, 'onBatch'>
  readonly catalogue: Pick<MarketCatalogue, 'byId'>
}

/** 250 ms between looks at the log, so that a notice follows its tick well within a second. */
const PAUSE_MS = 250
/**
 * While this server knows no new tick, only every fourth look reads the log. So the watcher sees a new alert after a
 * second.
 */
const QUIET_LOOKS = 4
const TIDY_MS = 30 * SECOND_MS

/**
 * Watches the tick log for price alerts. If there is a fence, each write checks that this server still has the lease.
 * Returns a function that stops it.
 */
export function watchAlerts({ ctx, ticks, catalogue }: WatchParts, fence: Fence | null): () => Promise<void> {
  const watcher = new AlertWatcher({ ctx, fence, splitsOf: (symbolId) => catalogue.byId(symbolId)?.splits ?? [] })
  let hasNews = true
  let looks = 0
  let isStopped = false
  let tidiedAt = ctx.now()
  const stopListening = ticks.onBatch((batch) => {
    hasNews ||= batch.ticks.length > 0
  })
  const stop = runPeriodically(ctx, {
    pauseMs: () => PAUSE_MS,
    run: async () => {
      looks += 1
      if (!hasNews && looks < QUIET_LOOKS) return
      hasNews = false
      looks = 0
      while (await watcher.readPortion()) if (isStopped) return
      // Only after the whole log was read, so that an alert can fire by a tick before its expiry that was read late.
      if (ctx.now() < later(tidiedAt, TIDY_MS)) return
      tidiedAt = ctx.now()
      await watcher.tidy()
    },
    failure: 'price alerts are not watched',
  })
  return async () => {
    isStopped = true
    stopListening()
    await stop()
  }
}

/** Returns the request for the lease of the alerts. Only the server with this lease watches the tick log. */
export function alertsLease(parts: WatchParts): LeaseRequest {
  let stop: (() => Promise<void>) | null = null
  return {
    names: ['price-alerts'],
    role: 'settle',
    onAcquired: (fence) => {
      stop = watchAlerts(parts, fence)
    },
    onLost: () => stop?.(),
  }
}
