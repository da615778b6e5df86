import type { Database } from '#server/platform/database/database.ts'
import { type EmbeddedOptions, EmbeddedSession } from '#server/platform/database/embedded-session.ts'
import type { PgliteThread } from '#server/platform/database/pglite-thread.ts'

/** The embedded database. All handles share its single session. */
export function embeddedDatabase(first: PgliteThread, options: EmbeddedOptions): Database {
  const session = new EmbeddedSession(first, options)
  const { db } = session
  return {
    db,
    ordersDb: db,
    orderLanes: [db],
    readsDb: db,
    leasesDb: db,
    kind: 'pglite',
    connections: 1,
    // The worker thread has its own queue and does not report its length.
    waiting: () => 0,
    health: {
      ways: [{ name: 'orders', db, lastReplyAt: () => session.lastReplyAt }],
      writeTrouble: () => session.troubles.current(),
      renew: () => {},
      giveUp: () => {},
    },
    enterServerRole: () => session.enterRole(),
    copyTo: (to) => session.copy(to),
    close: () => session.close(),
  }
}
