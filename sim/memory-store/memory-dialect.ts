import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely'
import type { MemoryDatabase } from './memory-database.ts'
import { runQuery } from './memory-query.ts'
import { DatabaseError } from './memory-table.ts'
import type { MemoryTransaction } from './memory-transaction.ts'

/** The query builder on the memory store: queries run directly, without becoming SQL text. */
export function memoryDialect(database: MemoryDatabase): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(new MemoryConnection(database)),
      releaseConnection: (connection) => Promise.resolve(own(connection).end()),
      beginTransaction: (connection) => Promise.resolve(own(connection).begin()),
      commitTransaction: (connection) => Promise.resolve(own(connection).commit()),
      rollbackTransaction: (connection) => Promise.resolve(own(connection).end()),
      destroy: () => Promise.resolve(),
    }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => ({
      compileQuery: (query, queryId) => ({ query, queryId, sql: '', parameters: [] }),
    }),
  }
}

class MemoryConnection implements DatabaseConnection {
  readonly #database: MemoryDatabase
  #tx: MemoryTransaction | null = null
  #hasFailed = false

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  begin(): void {
    this.#tx = this.#database.begin()
    this.#hasFailed = false
  }

  /** After a failed statement a commit silently rolls back, as in PostgreSQL. */
  commit(): void {
    if (this.#hasFailed) this.#tx?.rollback()
    else this.#tx?.commit()
    this.#tx = null
  }

  end(): void {
    this.#tx?.rollback()
    this.#tx = null
  }

  async executeQuery<R>({ query }: CompiledQuery): Promise<QueryResult<R>> {
    // The caller of the query builder states the row type, which no driver can check.
    return (await this.#run(query)) as QueryResult<R>
  }

  streamQuery(): never {
    throw new Error('the memory store does not stream')
  }

  async #run(query: OperationNode): Promise<QueryResult<unknown>> {
    const tx = this.#tx
    if (tx === null) return await this.#database.transaction((own) => runQuery(own, query))
    if (this.#hasFailed) throw new DatabaseError('25P02', 'current transaction is aborted')
    try {
      return await runQuery(tx, query)
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }
}

function own(connection: DatabaseConnection): MemoryConnection {
  if (connection instanceof MemoryConnection) return connection
  throw new Error('a connection of another store')
}
