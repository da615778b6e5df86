import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type DatabaseHealth, type DatabaseWay, writeTroubleOf } from '#server/platform/database/database-health.ts'
import { ConnectionReplies } from '#server/platform/faults/connection-replies.ts'
import { DATABASE_FAULTS, databaseFaultOf, isOutOfReach } from '#server/platform/faults/database-fault.ts'
import type { FaultRegistry, FaultFacts } from '#server/platform/faults/fault-registry.ts'
import { WriteProbe } from '#server/platform/faults/write-probe.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** How often a probe write runs, and how often its state is checked. */
const ASK_EVERY_MS = SECOND_MS
const LOOK_EVERY_MS = SECOND_MS / 4

export interface WatchDatabaseOptions {
  readonly ctx: Pick<Ctx, 'clock' | 'log'>
  readonly faults: FaultRegistry
  /** Null for a database passed in by the caller. For such a database, only the replies to probe writes are known. */
  readonly health: DatabaseHealth | null
  /** A probe write: a small write on the database in use. */
  readonly write: () => Promise<void>
  /** Called once when vital connections are dead although others work: the process has to end. */
  readonly onDead: () => void
}

export interface DatabaseWatch {
  /** How long the probe write has been without a reply, in ms. */
  silentMs(): number
  /** From now on a silent database is abandoned at once, because a stop must not wait for it. */
  stopping(): void
  /** Whether the server, while it stopped, gave up waiting for a silent database. */
  readonly hasGivenUp: boolean
  stop(): Promise<void>
}

/** Monitors the database once a second with a probe write. Logs faults and what to do. */
export function watchDatabase({ ctx, faults, health, write, onDead }: WatchDatabaseOptions): DatabaseWatch {
  const { clock, log } = ctx
  const probe = new WriteProbe(clock, write)
  const connections = new ConnectionReplies(clock, health?.ways ?? [])
  let lateLooks = 0
  let isStopping = false
  let isDead = false
  let hasGivenUp = false

  async function ask(): Promise<void> {
    connections.ping()
    const failure = await probe.run()
    if (failure !== null && writeTroubleOf(failure.error) === 'read_only') health?.renew()
    look()
  }

  function look(): void {
    const now = clock.steady()
    const silent = connections.silentAt(now)
    // A late reply must be seen twice in a row. This process may have been suspended while the reply was waiting.
    lateLooks = probe.isLateAt(now) ? lateLooks + 1 : 0
    const isSlow = lateLooks > 1
    const { failure } = probe
    const fault = databaseFaultOf({
      hasFailed: failure !== null,
      failedBecause: failure && writeTroubleOf(failure.error),
      reportedTrouble: health?.writeTrouble() ?? null,
      isSilent: isSlow || silent.length > 0,
    })
    const isAway = isOutOfReach(fault)
    for (const kind of DATABASE_FAULTS) faults.set(kind, kind === fault ? (isAway ? factsOf(silent) : {}) : null)
    if (isStopping && isAway) giveUp()
    if (failure === null && !isSlow)
      endIfDead(silent.filter((way) => connections.isDeadAt(now, way, probe.succeedsSince)))
  }

  function giveUp(): void {
    if (hasGivenUp) return
    hasGivenUp = true
    health?.giveUp()
  }

  function endIfDead(dead: readonly DatabaseWay[]): void {
    if (isDead || dead.length === 0) return
    isDead = true
    log.error(
      { ways: dead.map(({ name }) => name) },
      'connections that take and settle orders are dead though the database answers on others: this process ends with 1, and the service manager has to start it again. Nothing that was acknowledged is lost',
    )
    onDead()
  }

  function factsOf(silent: readonly DatabaseWay[]): FaultFacts {
    const ways = [...new Set(silent.map(({ name }) => name))]
    const why = probe.failure?.error instanceof Error ? probe.failure.error.message : undefined
    return { ...(ways.length > 0 && { ways }), ...(why !== undefined && { why }) }
  }

  const failure = 'the database could not be looked after'
  const stops = [
    runPeriodically(ctx, { pauseMs: () => ASK_EVERY_MS, run: ask, failure }),
    runPeriodically(ctx, { pauseMs: () => LOOK_EVERY_MS, run: () => Promise.resolve(look()), failure }),
  ]

  return {
    silentMs: () => probe.silentMs,
    stopping() {
      isStopping = true
      look()
    },
    get hasGivenUp() {
      return hasGivenUp
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
