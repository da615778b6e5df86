import type { Opening } from '#server/app/opening.ts'
import type { Config } from '#server/app/config/config.ts'
import { restrictDataFolder } from '#server/app/restrict-data-folder.ts'
import { TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { createFaultWatch, type FaultWatchParts } from '#server/platform/faults/create-fault-watch.ts'
import { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { countLines } from '#server/platform/metrics/count-lines.ts'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { type OpsServer, startOpsServer } from '#server/app/health/ops-server.ts'
import { openVault } from '#server/platform/encryption/data-keys.ts'
import { createRecentErrors } from '#server/platform/runtime/recent-errors.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import type { Readiness } from '#server/app/health/readiness.ts'

/**
 * Opens the database, the clock, the context of all use cases, and their monitoring. `logLeadMs` returns how far the
 * newest price is ahead of the clock, `isReady` whether this server accepts orders.
 */
export async function openPlatform(
  { config, log, overrides, lifecycle }: Opening,
  { logLeadMs, isReady }: Pick<FaultWatchParts, 'logLeadMs' | 'isReady'>,
) {
  const database = overrides.ctx ? null : await openDatabase(config, log)
  lifecycle.opened('database', () => database?.close())
  if (database) restrictDataFolder(config.dataDir, log)
  const given = overrides.ctx ?? contextOn(config, database, log, new TrustedClock(overrides.clock ?? systemClock))
  const metrics = config.metrics === undefined ? null : createMetrics()
  const errors = createRecentErrors(metrics === null ? given.log : countLines(given.log, metrics), given.clock)
  const ctx: Ctx = { ...given, log: errors.log }
  const faults = new FaultRegistry(ctx)
  const watch = createFaultWatch({
    ctx,
    faults,
    health: database?.health ?? null,
    // The probe uses the separate connection of the leases. On a shared connection, the probe could wait for other
    // statements, which says nothing about whether the database replies.
    db: database?.leasesDb ?? ctx.db,
    logLeadMs,
    isReady,
    onDead: overrides.onDead ?? (() => {}),
  })
  lifecycle.opened('fault watch', () => watch.stop())
  let ops: OpsServer | null = null
  lifecycle.opened('metrics', () => ops?.stop())
  const startOps = async (readiness: Readiness): Promise<void> => {
    if (config.metrics !== undefined && metrics !== null) {
      ops = await startOpsServer(config.metrics, { metrics, readiness })
    }
  }
  return { database, ctx, metrics, errors, faults, watch, startOps, opsAddress: () => ops?.address ?? null }
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>

function contextOn(config: Config, database: Database | null, log: Log, clock: TrustedClock): Ctx {
  if (!database) throw new Error('a server needs a database or a context')
  const { randomBytes } = createTools()
  return createContext({ db: database.db, log, clock, vault: openVault(config.dataDir, config.dataKey, randomBytes) })
}
