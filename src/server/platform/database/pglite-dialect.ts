import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { PgliteThread } from '#server/platform/database/pglite-thread.ts'

/** The Kysely dialect of the embedded database: PostgreSQL's SQL over its only session. */
export function pgliteDialect(thread: Pick<PgliteThread, 'query' | 'close'>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => pgliteDriver(thread),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * Lends the only session in the order of the requests. A transaction keeps the session to its end. So a query on the
 * database handle inside a transaction waits for itself. This reveals a mistake: with other databases, such a query
 * would silently run outside the transaction.
 */
function pgliteDriver(thread: Pick<PgliteThread, 'query' | 'close'>): Driver {
  const connection = pgliteConnection(thread)
  const queue: (() => void)[] = []
  let isBusy = false
  return {
    init: () => Promise.resolve(),
    acquireConnection: async () => {
      if (isBusy) await new Promise<void>((resolve) => queue.push(resolve))
      isBusy = true
      return connection
    },
    releaseConnection: async () => {
      const next = queue.shift()
      // The session passes directly to the caller that has waited longest. `isBusy` stays true, so that no other caller
      // gets the session first.
      if (next) next()
      else isBusy = false
    },
    beginTransaction: async (connection, settings) => {
      await run(connection, beginSql(settings))
    },
    commitTransaction: async (connection) => {
      await run(connection, 'commit')
    },
    rollbackTransaction: async (connection) => {
      await run(connection, 'rollback')
    },
    savepoint: async (connection, name) => {
      await run(connection, `savepoint "${name}"`)
    },
    rollbackToSavepoint: async (connection, name) => {
      await run(connection, `rollback to savepoint "${name}"`)
    },
    releaseSavepoint: async (connection, name) => {
      await run(connection, `release savepoint "${name}"`)
    },
    destroy: () => thread.close(),
  }
}

function run(connection: DatabaseConnection, sql: string): Promise<QueryResult<unknown>> {
  return connection.executeQuery(CompiledQuery.raw(sql))
}

function pgliteConnection(thread: Pick<PgliteThread, 'query'>): DatabaseConnection {
  return {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, command, affectedRows } = await thread.query(query.sql, query.parameters)
      const changes = command !== undefined && CHANGES_ROWS.has(command)
      // The caller of Kysely states the row type, which no driver can check.
      return { rows: rows as R[], ...(changes && { numAffectedRows: BigInt(affectedRows ?? 0) }) }
    },
    streamQuery: () => {
      throw new Error('The embedded database does not stream: read in pages.')
    },
  }
}

const CHANGES_ROWS: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function beginSql({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['start transaction', isolationLevel && `isolation level ${isolationLevel}`, accessMode]
    .filter(Boolean)
    .join(' ')
}
