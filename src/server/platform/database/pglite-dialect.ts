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

/** Kysely on the embedded database: PostgreSQL's own language, over the one session that there is. */
export function pgliteDialect(thread: Pick<PgliteThread, 'query' | 'close'>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => pgliteDriver(thread),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * Hands the one session out in order of asking; a transaction holds it to its end. A query on the database handle inside
 * a transaction therefore waits for itself, which shows a mistake that would silently escape the transaction elsewhere.
 */
function pgliteDriver(thread: Pick<PgliteThread, 'query' | 'close'>): Driver {
  const connection = pgliteConnection(thread)
  const queue: (() => void)[] = []
  let taken = false
  return {
    init: () => Promise.resolve(),
    acquireConnection: async () => {
      if (taken) await new Promise<void>((resolve) => queue.push(resolve))
      taken = true
      return connection
    },
    releaseConnection: async () => {
      const next = queue.shift()
      // The session goes straight to whoever waits longest: `taken` stays true, so that nobody gets in between.
      if (next) next()
      else taken = false
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
      // Kysely's caller states the row type; no driver can check it.
      return { rows: rows as R[], ...(changes && { numAffectedRows: BigInt(affectedRows ?? 0) }) }
    },
    streamQuery: () => {
      throw new Error('The embedded database does not stream; ask in pages.')
    },
  }
}

const CHANGES_ROWS: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function beginSql({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['start transaction', isolationLevel && `isolation level ${isolationLevel}`, accessMode]
    .filter(Boolean)
    .join(' ')
}
