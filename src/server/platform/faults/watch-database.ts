import { sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type DatabaseHealth, type DatabaseWay, writeTroubleOf } from '#server/platform/database/database-health.ts'
import type { FaultBook, FaultFacts, FaultKind } from '#server/platform/faults/fault-book.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

/** How often the database has to write something for us, and how often we look whether it has. */
const ASK_EVERY_MS = SECOND_MS
const LOOK_EVERY_MS = SECOND_MS / 4
/** A small write that takes longer is as good as none: orders wait as long. */
const SLOW_MS = 2 * SECOND_MS
/** A way to the database that gave no answer for so long does not work, though others do. */
const WAY_SILENT_MS = 6 * SECOND_MS
/** The connections of that way have been replaced several times by then. Only a new process helps. */
const WAY_DEAD_MS = 20 * SECOND_MS
/** A look that comes so late: this process stood still, and what it did not hear meanwhile says nothing of the database. */
const STOOD_STILL_MS = 2 * SECOND_MS
/** Without these no order is taken, settled or kept. The others may be held up by what people ask for. */
const VITAL: ReadonlySet<DatabaseWay['name']> = new Set(['orders', 'prices', 'leases'])
const WRITE_FAULTS = {
  full: 'database_full',
  read_only: 'database_read_only',
  broken: 'database_broken',
  no_files: 'files_used_up',
} as const satisfies Readonly<Record<string, FaultKind>>

export interface WatchDatabaseOptions {
  readonly ctx: Pick<Ctx, 'clock' | 'log'>
  readonly faults: FaultBook
  /** Null for a database that was brought, of which nothing is known but its answers. */
  readonly health: DatabaseHealth | null
  /** A small write on the database that is used. */
  readonly write: () => Promise<void>
  /** A vital way to the database is dead though others live: the process has to end. Called once. */
  readonly onDead: () => void
}

export interface DatabaseWatch {
  /** For how long the database has not answered the small write, in ms. */
  silentMs(): number
  /** From now on the database is given up as soon as it does not answer: a stop must not wait for it. */
  stopping(): void
  /** Whether it was. */
  readonly hasGivenUp: boolean
  stop(): Promise<void>
}

/** Looks after the database once a second by writing a little, and says in the log what does not work and what to do. */
export function watchDatabase({ ctx, faults, health, write, onDead }: WatchDatabaseOptions): DatabaseWatch {
  const { clock, log } = ctx
  let askedAt: number | null = null
  let writtenAt = clock.steady()
  /** Since when the small writes have succeeded without a break. */
  let writesSince = clock.steady()
  let failure: { readonly error: unknown } | null = null
  let slowLooks = 0
  let isStopping = false
  let isDead = false
  let hasGivenUp = false
  const pinged = new Set<DatabaseWay>()
  let lookedAt = clock.steady()
  /** Since when this process has run without standing still. */
  let awakeSince = clock.steady()

  const vital = (health?.ways ?? []).filter(({ name }) => VITAL.has(name))
  /** A way that nobody has used yet has said nothing. */
  const heardAt = (way: DatabaseWay): number => Math.max(awakeSince, way.heardAt())

  async function ask(): Promise<void> {
    for (const way of health?.ways ?? []) ping(way)
    askedAt = clock.steady()
    try {
      // A connection that was lost since it was last used says nothing of the database.
      await write().catch(() => write())
      const isLate = clock.steady() - askedAt > SLOW_MS
      writtenAt = clock.steady()
      if (failure !== null || isLate) writesSince = writtenAt
      failure = null
    } catch (error) {
      if (failure === null && writeTroubleOf(error) === 'read_only') health?.renew()
      failure = { error }
    } finally {
      askedAt = null
    }
    look()
  }

  function ping(way: DatabaseWay): void {
    if (pinged.has(way) || clock.steady() - way.heardAt() < ASK_EVERY_MS) return
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
    // Twice in a row: this process itself may have stood still, and the answer may wait to be read.
    slowLooks = askedAt !== null && now - askedAt > SLOW_MS ? slowLooks + 1 : 0
    const isSlow = slowLooks > 1
    const silent = vital.filter((way) => now - heardAt(way) > WAY_SILENT_MS)
    const own = failure && writeTroubleOf(failure.error)
    const heard = health?.writeTrouble() ?? null
    const trouble = own ?? heard
    const cannotWrite = trouble !== null && trouble !== 'refused'
    for (const [name, kind] of Object.entries(WRITE_FAULTS)) faults.set(kind, trouble === name ? {} : null)
    const isAway = !cannotWrite && (failure !== null || isSlow || silent.length > 0)
    const isRefused = own === 'refused' || (failure === null && heard === 'refused')
    faults.set('database_silent', isAway && !isRefused ? factsOf(silent) : null)
    faults.set('database_refuses', isAway && isRefused ? factsOf(silent) : null)
    faults.set('database_crowded', isRefused && !isAway && !cannotWrite ? {} : null)
    if (isStopping && isAway && !hasGivenUp) {
      hasGivenUp = true
      health?.giveUp()
    }
    // The connections of a way that came back with the database need their time as well.
    const dead = silent.filter((way) => now - Math.max(heardAt(way), writesSince) > WAY_DEAD_MS)
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
    repeat(ctx, { pauseMs: () => ASK_EVERY_MS, run: ask, failure: 'the database could not be looked after' }),
    repeat(ctx, {
      pauseMs: () => LOOK_EVERY_MS,
      run: () => Promise.resolve(look()),
      failure: 'the database could not be looked after',
    }),
  ]

  return {
    silentMs: () => (failure === null && askedAt === null ? 0 : clock.steady() - writtenAt),
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
