import { sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type DatabaseHealth, type DatabaseWay, writeTroubleOf } from '#server/platform/database/database-health.ts'
import type { FaultRegistry, FaultFacts, FaultKind } from '#server/platform/faults/fault-registry.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** How often a small write runs, and how often its state is checked. */
const ASK_EVERY_MS = SECOND_MS
const LOOK_EVERY_MS = SECOND_MS / 4
/** A small write slower than 2 s counts as failed, because orders wait as long. */
const SLOW_MS = 2 * SECOND_MS
/** Connections that gave no reply for 6 s do not work, even if others do. */
const WAY_SILENT_MS = 6 * SECOND_MS
/** By 20 s these connections were replaced several times, so only a new process helps. */
const WAY_DEAD_MS = 20 * SECOND_MS
/** A check this late means the process was suspended. Missing replies then say nothing about the database. */
const STOOD_STILL_MS = 2 * SECOND_MS
/** Connections without which no order is accepted, settled or stored. Others may be delayed by users' requests. */
const VITAL: ReadonlySet<DatabaseWay['name']> = new Set(['orders', 'prices', 'leases'])
const WRITE_FAULTS = {
  full: 'database_full',
  read_only: 'database_read_only',
  broken: 'database_broken',
  no_files: 'files_used_up',
} as const satisfies Readonly<Record<string, FaultKind>>

export interface WatchDatabaseOptions {
  readonly ctx: Pick<Ctx, 'clock' | 'log'>
  readonly faults: FaultRegistry
  /** Null for a database passed in by the caller, of which only the replies are known. */
  readonly health: DatabaseHealth | null
  /** A small write on the database in use. */
  readonly write: () => Promise<void>
  /** Called once when vital connections are dead though others work: the process has to end. */
  readonly onDead: () => void
}

export interface DatabaseWatch {
  /** How long the small write has been without a reply, in ms. */
  silentMs(): number
  /** From now on a silent database is abandoned at once, because a stop must not wait for it. */
  stopping(): void
  /** Whether it was abandoned. */
  readonly hasGivenUp: boolean
  stop(): Promise<void>
}

/** Monitors the database once a second with a small write. Logs faults and what to do. */
export function watchDatabase({ ctx, faults, health, write, onDead }: WatchDatabaseOptions): DatabaseWatch {
  const { clock, log } = ctx
  let queryStartedAt: number | null = null
  let writtenAt = clock.steady()
  /** Since when the small writes have succeeded without interruption. */
  let writesSince = clock.steady()
  let failure: { readonly error: unknown } | null = null
  let slowLooks = 0
  let isStopping = false
  let isDead = false
  let hasGivenUp = false
  const pinged = new Set<DatabaseWay>()
  let lookedAt = clock.steady()
  /** Since when this process has run without suspension. */
  let awakeSince = clock.steady()

  const vital = (health?.ways ?? []).filter(({ name }) => VITAL.has(name))
  /** Connections that were never used have given no reply. */
  const lastReplyAt = (way: DatabaseWay): number => Math.max(awakeSince, way.lastReplyAt())

  async function ask(): Promise<void> {
    for (const way of health?.ways ?? []) ping(way)
    queryStartedAt = clock.steady()
    try {
      // Retried once: a connection lost since its last use says nothing about the database.
      await write().catch(() => write())
      const isLate = clock.steady() - queryStartedAt > SLOW_MS
      writtenAt = clock.steady()
      if (failure !== null || isLate) writesSince = writtenAt
      failure = null
    } catch (error) {
      if (failure === null && writeTroubleOf(error) === 'read_only') health?.renew()
      failure = { error }
    } finally {
      queryStartedAt = null
    }
    look()
  }

  function ping(way: DatabaseWay): void {
    if (pinged.has(way) || clock.steady() - way.lastReplyAt() < ASK_EVERY_MS) return
    pinged.add(way)
    void sql`select 1`
      .execute(way.db)
      .catch(() => {})
      .finally(() => pinged.delete(way))
  }

  function look(): void {
    const now = clock.steady()
    if (now - lookedAt > STOOD_STILL_MS) awakeSince = now
    lookedAt = now
    // Twice in a row, because this process may have been suspended, with the reply waiting.
    slowLooks = queryStartedAt !== null && now - queryStartedAt > SLOW_MS ? slowLooks + 1 : 0
    const isSlow = slowLooks > 1
    const silent = vital.filter((way) => now - lastReplyAt(way) > WAY_SILENT_MS)
    const own = failure && writeTroubleOf(failure.error)
    const reportedTrouble = health?.writeTrouble() ?? null
    const trouble = own ?? reportedTrouble
    const cannotWrite = trouble !== null && trouble !== 'refused'
    for (const [name, kind] of Object.entries(WRITE_FAULTS)) faults.set(kind, trouble === name ? {} : null)
    const isAway = !cannotWrite && (failure !== null || isSlow || silent.length > 0)
    const isRefused = own === 'refused' || (failure === null && reportedTrouble === 'refused')
    faults.set('database_silent', isAway && !isRefused ? factsOf(silent) : null)
    faults.set('database_refuses', isAway && isRefused ? factsOf(silent) : null)
    faults.set('database_crowded', isRefused && !isAway && !cannotWrite ? {} : null)
    if (isStopping && isAway && !hasGivenUp) {
      hasGivenUp = true
      health?.giveUp()
    }
    // Connections that recover together with the database need time as well.
    const dead = silent.filter((way) => now - Math.max(lastReplyAt(way), writesSince) > WAY_DEAD_MS)
    if (dead.length > 0 && failure === null && !isSlow && !isDead) {
      isDead = true
      log.error(
        { ways: dead.map(({ name }) => name) },
        'connections that take and settle orders are dead though the database answers on others: this process ends with 1, and the service manager has to start it again. Nothing that was acknowledged is lost',
      )
      onDead()
    }
  }

  function factsOf(silent: readonly DatabaseWay[]): FaultFacts {
    const ways = [...new Set(silent.map(({ name }) => name))]
    const why = failure?.error instanceof Error ? failure.error.message : undefined
    return { ...(ways.length > 0 && { ways }), ...(why !== undefined && { why }) }
  }

  const stops = [
    runPeriodically(ctx, { pauseMs: () => ASK_EVERY_MS, run: ask, failure: 'the database could not be looked after' }),
    runPeriodically(ctx, {
      pauseMs: () => LOOK_EVERY_MS,
      run: () => Promise.resolve(look()),
      failure: 'the database could not be looked after',
    }),
  ]

  return {
    silentMs: () => (failure === null && queryStartedAt === null ? 0 : clock.steady() - writtenAt),
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
