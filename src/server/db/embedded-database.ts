import { Kysely, sql } from 'kysely'
import type { ServerClock } from '#server/context.ts'
import type { Database } from '#server/db/connect.ts'
import { WriteTroubles } from '#server/db/database-health.ts'
import { pgliteDialect } from '#server/db/pglite-dialect.ts'
import type { PgliteThread } from '#server/db/pglite-thread.ts'
import { ENTER_ROLE } from '#server/db/server-role.ts'
import type { Tables } from '#server/db/tables.ts'

/** The embedded database behind its thread: all ways to it are the one session that there is. */
export function embeddedDatabase(thread: PgliteThread, clock: Pick<ServerClock, 'steady'>): Omit<Database, 'copyTo'> {
  const troubles = new WriteTroubles(() => clock.steady())
  let heardAt = clock.steady()
  const db = new Kysely<Tables>({
    dialect: pgliteDialect({
      ...thread,
      async query(text, parameters) {
        try {
          return await thread.query(text, parameters)
        } catch (error) {
          troubles.note(error)
          throw error
        } finally {
          heardAt = clock.steady()
        }
      },
    }),
  })
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
    },
    close: () => db.destroy(),
  }
}
