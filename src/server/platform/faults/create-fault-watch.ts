import { SECOND_MS } from '#core/time/instant.ts'
import { TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { DatabaseHealth } from '#server/platform/database/database-health.ts'
import { writeTroubleOf } from '#server/platform/database/database-health.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { noteRun, noteStop } from '#server/platform/faults/server-run.queries.ts'
import { lookAtClock, watchClock } from '#server/platform/faults/watch-clock.ts'
import { type DatabaseWatch, watchDatabase } from '#server/platform/faults/watch-database.ts'
import { createCancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

export interface FaultWatchParts {
  readonly ctx: Ctx
  readonly faults: FaultRegistry
  readonly health: DatabaseHealth | null
  /** The database for the probe write of each second. */
  readonly db: Db
  /** How far the newest price in the tick log is ahead of the clock. */
  readonly logLeadMs: () => number
  /** Whether this server accepts orders. */
  readonly isReady: () => boolean
  /** Called when the process has to end, because only a new process helps. */
  readonly onDead: () => void
}

export interface FaultWatch {
  /**
   * Records the start of this run. Resolves when the clock is trusted or the server stops. Throws when the database
   * cannot write.
   */
  start(place: { readonly run: string; readonly name: string }): Promise<void>
  /** Call when the server stops: from now on it does not wait for a silent database. */
  stopping(): void
  readonly hasGivenUp: boolean
  /** The monitored clock; null where a test passed another one. */
  readonly trusted: TrustedClock | null
  /** How long the database has been silent, in ms. */
  databaseSilentMs(): number
  /** Records the stop, if the database still answers. */
  stop(): Promise<void>
}

const LOOK_AGAIN_MS = SECOND_MS / 2
const WHY = {
  read_only: 'it is read-only',
  full: 'its disk is full',
  broken: 'its disk or its files fail',
  no_files: 'this server may open no more files',
  refused: 'it turns this server away',
} as const

/** Monitors database and clock, and keeps the row that shows since when this server runs. */
export function createFaultWatch(parts: FaultWatchParts): FaultWatch {
  const { ctx, faults, health, db, logLeadMs, isReady, onDead } = parts
  const trusted = ctx.clock instanceof TrustedClock ? ctx.clock : null
  const pause = createCancellableSleep(ctx.clock)
  let database: DatabaseWatch | null = null
  let stopClock: (() => Promise<void>) | null = null
  let noted: string | null = null
  let isStopping = false

  return {
    trusted,
    get hasGivenUp() {
      return database?.hasGivenUp ?? false
    },
    databaseSilentMs: () => database?.silentMs() ?? 0,
    async start({ run, name }) {
      const startedAt = ctx.now()
      const write = async (): Promise<void> => {
        const requestedAt = ctx.clock.steady()
        const databaseNow = await noteRun(db, { run, name, startedAt, now: ctx.now(), isReady: isReady() })
        trusted?.addDatabaseSample(databaseNow, { requestedAt, answeredAt: ctx.clock.steady() })
      }
      await write().catch((error: unknown) => {
        throw explainWriteError(error)
      })
      noted = run
      const looked = { ctx, faults, trusted, logLeadMs }
      lookAtClock(looked)
      database = watchDatabase({ ctx, faults, health, write, onDead })
      stopClock = watchClock(looked)
      // The sleep also ends when the server stops.
      const mayGoOn = (): boolean => isStopping || ctx.clock.isTrusted()
      while (!mayGoOn()) await pause.sleep(LOOK_AGAIN_MS)
      if (isStopping) throw new StartUpError('The server was stopped before it had started.')
    },
    stopping() {
      isStopping = true
      pause.wake()
      database?.stopping()
    },
    async stop() {
      await stopClock?.()
      await database?.stop()
      if (noted !== null && database?.hasGivenUp !== true) await noteStop(db, noted, ctx.now())
    },
  }
}

function explainWriteError(error: unknown): unknown {
  const trouble = writeTroubleOf(error)
  if (trouble === null) return error
  return new StartUpError(`Fairwick cannot write to the database: ${WHY[trouble]}. Fix this, then start again.`, {
    cause: error,
  })
}
