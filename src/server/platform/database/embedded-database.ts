import { Kysely, sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { WriteTroubles, writeTroubleOf } from '#server/platform/database/database-health.ts'
import { pgliteDialect } from '#server/platform/database/pglite-dialect.ts'
import type { PgliteThread } from '#server/platform/database/pglite-thread.ts'
import { ENTER_ROLE } from '#server/platform/database/server-role.ts'
import type { Tables } from '#server/platform/database/tables.ts'

/** 3 s: while files fail, the thread is replaced no more often. */
const REPLACE_EVERY_MS = 3 * SECOND_MS

export interface EmbeddedOptions {
  readonly clock: Pick<ServerClock, 'steady'>
  readonly log: Pick<Log, 'warn'>
  /** Opens the same folder once more; null where there is none. */
  readonly reopen: (() => Promise<PgliteThread>) | null
}

/**
 * The embedded database behind its thread: all ways to it are the one session that there is. A thread that has ended, or
 * whose files failed (it never opens some of them again), is replaced: as after a kill, what was committed is there.
 */
export function embeddedDatabase(first: PgliteThread, { clock, log, reopen }: EmbeddedOptions): Database {
  const troubles = new WriteTroubles(() => clock.steady())
  let thread = first
  let heardAt = clock.steady()
  let isInRole = false
  let isClosing = false
  let replacedAt = Number.NEGATIVE_INFINITY
  let replacing: Promise<void> = Promise.resolve()

  const db = new Kysely<Tables>({
    dialect: pgliteDialect({
      async query(text, parameters) {
        try {
          return await thread.query(text, parameters)
        } catch (error) {
          troubles.note(error)
          if (writeTroubleOf(error) === 'broken') replace()
          throw error
        } finally {
          heardAt = clock.steady()
        }
      },
      close: () => thread.close(),
    }),
  })

  function replace(): void {
    if (reopen === null || isClosing || clock.steady() - replacedAt < REPLACE_EVERY_MS) return
    replacedAt = clock.steady()
    replacing = killAndOpen(reopen).catch((error: unknown) => {
      log.warn(
        { err: error },
        'the embedded database could not be opened again, which is tried as long as it is needed',
      )
    })
  }

  async function killAndOpen(open: () => Promise<PgliteThread>): Promise<void> {
    await thread.kill()
    // With the session in hand: a transaction that was under way fails as a whole.
    await db.connection().execute(async () => {
      if (isClosing) return
      thread = await open()
      if (isInRole) await thread.query(ENTER_ROLE, [])
      log.warn({}, 'the embedded database was opened again, as it had ended or its files had failed')
    })
  }

  return {
    db,
    ordersDb: db,
    orderLanes: [db],
    readsDb: db,
    leasesDb: db,
    kind: 'pglite',
    connections: 1,
    // Its thread has a queue of its own, and says nothing of it.
    waiting: () => 0,
    health: {
      ways: [{ name: 'orders', db, heardAt: () => heardAt }],
      writeTrouble: () => troubles.current(),
      renew: () => {},
      giveUp: () => {},
    },
    enterServerRole: async () => {
      await sql.raw(ENTER_ROLE).execute(db)
      isInRole = true
    },
    copyTo: (to) => thread.copy(to),
    close: async () => {
      isClosing = true
      await replacing
      await db.destroy()
    },
  }
}
