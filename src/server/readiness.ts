import { SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import { repeat } from '#server/repeat.ts'

/** The database has to have answered, and the log of prices to have said something, within this time. */
const DATABASE_SILENT_MS = 5 * SECOND_MS
const PRICES_SILENT_MS = 10 * SECOND_MS
const ASK_EVERY_MS = SECOND_MS

export interface ReadinessParts {
  readonly ctx: Ctx
  /** Whether it does what it is for: taking orders, where it takes any. */
  readonly isAtWork: () => boolean
  /** When the log of prices last said something, if only that nothing is new. */
  readonly pricesHeardAt: () => Instant | null
}

export type NotReady = 'stopping' | 'not at work' | 'no database' | 'no prices'

export interface Readiness {
  /** Why calls should go elsewhere; null when they need not. */
  reason(): NotReady | null
  /** Looks after the database from now on. */
  start(): void
  /** From now on calls should go elsewhere, though those that come are answered. */
  drain(): void
  stop(): Promise<void>
}

/** Whether this server should be given work: what `/readyz` says. */
export function createReadiness({ ctx, isAtWork, pricesHeardAt }: ReadinessParts): Readiness {
  let isDraining = false
  let databaseAt: Instant | null = null
  let stopAsking: (() => Promise<void>) | null = null

  return {
    reason() {
      if (isDraining) return 'stopping'
      if (!isAtWork()) return 'not at work'
      if (stopAsking === null) return null
      const now = ctx.now()
      if (databaseAt !== null && now - databaseAt > DATABASE_SILENT_MS) return 'no database'
      const heardAt = pricesHeardAt()
      return heardAt === null || now - heardAt > PRICES_SILENT_MS ? 'no prices' : null
    },
    start() {
      databaseAt = ctx.now()
      stopAsking = repeat(ctx, {
        pauseMs: () => ASK_EVERY_MS,
        run: async () => {
          await ctx.db.selectFrom('lease').select('name').limit(1).execute()
          databaseAt = ctx.now()
        },
        failure: 'the database does not answer',
      })
    },
    drain() {
      isDraining = true
    },
    async stop() {
      await stopAsking?.()
    },
  }
}
