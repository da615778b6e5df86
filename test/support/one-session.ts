import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection, QueryExecutor } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A transaction, or another hold on a connection, while its work goes on. */
interface Hold {
  isOpen: boolean
}

const holds = new AsyncLocalStorage<Hold>()

/**
 * Makes a PostgreSQL of tests as strict as the embedded database, which has one session: a statement beside the transaction
 * that waits for it would wait for ever there, and here it fails. Tests of what several sessions do to each other say so
 * with `onOtherSessions`.
 */
export function keepToOneSession({ db, ordersDb, orderLanes, readsDb, leasesDb }: Database): void {
  for (const each of new Set<Db>([db, ordersDb, ...orderLanes, readsDb, leasesDb])) watch(each.getExecutor())
}

/** Runs work that needs sessions beside the transaction that the caller holds. */
export function onOtherSessions<T>(work: () => T): T {
  return holds.exit(work)
}

function watch(executor: QueryExecutor): void {
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = async <T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> => {
    if (holds.getStore()?.isOpen) {
      throw new Error(
        'This statement is beside the transaction that waits for it: on one session it would wait for ever.',
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
