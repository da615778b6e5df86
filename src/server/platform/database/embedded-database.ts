import { Kysely, sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { WriteTroubles, writeTroubleOf } from '#server/platform/database/database-health.ts'
import { pgliteDialect } from '#server/platform/database/pglite-dialect.ts'
import type { PgliteThread } from '#server/platform/database/pglite-thread.ts'
import { ENTER_ROLE } from '#server/platform/database/server-role.ts'
import type { Tables } from '#server/platform/database/tables.ts'

/** 3 s: minimum time between two replacements of the thread while files fail. */
const REPLACE_EVERY_MS = 3 * SECOND_MS

export interface EmbeddedOptions {
  readonly clock: Pick<ServerClock, 'steady'>
  readonly log: Pick<Log, 'warn'>
  /** Opens the same folder again; null for a database in memory. */
  readonly reopen: (() => Promise<PgliteThread>) | null
}

/**
 * The embedded database in its worker thread. All handles share its single session. A thread that has ended, or whose files failed (it
 * never reopens some of them), is replaced. As after a kill, everything committed is still there.
 */
export function embeddedDatabase(first: PgliteThread, { clock, log, reopen }: EmbeddedOptions): Database {
  const troubles = new WriteTroubles(() => clock.steady())
  let thread = first
  let lastReplyAt = clock.steady()
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
          lastReplyAt = clock.steady()
        }
      },
      close: () => thread.close(),
    }),
  })

  function replace(): void {
    if (reopen === null || isClosing || clock.steady() - replacedAt < REPLACE_EVERY_MS) return
    replacedAt = clock.steady()
    replacing = killAndOpen(reopen).catch((error: unknown) => {
      log.warn({ err: error }, 'the embedded database could not be opened again: retrying until it works')
    })
  }

  async function killAndOpen(open: () => Promise<PgliteThread>): Promise<void> {
    await thread.kill()
    // While holding the session, so that a running transaction fails as a whole.
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
    // Its thread has its own queue and does not report the length.
    waiting: () => 0,
    health: {
      ways: [{ name: 'orders', db, lastReplyAt: () => lastReplyAt }],
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
