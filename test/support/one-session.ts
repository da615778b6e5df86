import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection, QueryExecutor } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An open transaction, or another use of a connection. */
interface Hold {
  isOpen: boolean
}

const holds = new AsyncLocalStorage<Hold>()

/**
 * Makes a PostgreSQL test database as strict as the embedded database, which has a single session. With one session, a
 * transaction that waits for a statement outside of the transaction waits for ever. With this wrapper, such a statement
 * throws. Tests of several sessions use `onOtherSessions`.
 */
export function keepToOneSession({ db, ordersDb, orderLanes, readsDb, leasesDb }: Database): void {
  for (const each of new Set<Db>([db, ordersDb, ...orderLanes, readsDb, leasesDb])) watch(each.getExecutor())
}

/** Runs work that needs other sessions, while the transaction of the caller is open. */
export function onOtherSessions<T>(work: () => T): T {
  return holds.exit(work)
}

function watch(executor: QueryExecutor): void {
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = async <T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> => {
    if (holds.getStore()?.isOpen) {
      throw new Error(
        'This statement runs outside the transaction that waits for it. With one session it would wait for ever.',
      )
    }
    const hold: Hold = { isOpen: true }
    try {
      return await provide((connection) => holds.run(hold, () => work(connection)))
    } finally {
      hold.isOpen = false
    }
  }
}
