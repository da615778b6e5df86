import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { DatabaseError } from '../memory-store/memory-table.ts'
import { type FaultyConnection, never, ProcessDied } from './faulty-connection.ts'

/** A store shared by all processes: one driver, and how to compile queries for it. */
export interface SharedStore {
  readonly driver: Driver
  readonly compiler: () => QueryCompiler
}

/** One process's connection to a shared store, with injected faults. */
export function faultyDialect(store: SharedStore, connection: FaultyConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new FaultyDriver(store.driver, connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => store.compiler(),
  }
}

class FaultyDriver implements Driver {
  readonly #inner: Driver
  readonly #faults: FaultyConnection

  constructor(inner: Driver, connection: FaultyConnection) {
    this.#inner = inner
    this.#faults = connection
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new FaultyDatabaseConnection(await this.#inner.acquireConnection(), this.#inner, this.#faults)
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return own(connection).release()
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return own(connection).begin(settings)
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).commit()
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).rollback()
  }

  destroy(): Promise<void> {
    return Promise.resolve()
  }
}

/**
 * One connection. After a fault it is unusable and its transaction is rolled back, as a server does when a connection
 * ends.
 */
class FaultyDatabaseConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #driver: Driver
  readonly #faults: FaultyConnection
  #isOpen = false
  #isBroken = false
  #isReleased = false

  constructor(inner: DatabaseConnection, driver: Driver, connection: FaultyConnection) {
    this.#inner = inner
    this.#driver = driver
    this.#faults = connection
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(() => this.#inner.executeQuery<R>(query), { mayCompleteAfterCrash: !this.#isOpen })
  }

  async begin(settings: TransactionSettings): Promise<void> {
    // This flag is set before the reply arrives. If the reply is lost, the next user of the connection must not
    // continue the transaction.
    this.#isOpen = true
    await this.#run(() => this.#driver.beginTransaction(this.#inner, settings), { mayCompleteAfterCrash: false })
  }

  async commit(): Promise<void> {
    await this.#run(() => this.#driver.commitTransaction(this.#inner), { mayCompleteAfterCrash: true })
    this.#isOpen = false
  }

  async rollback(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#driver.rollbackTransaction(this.#inner)
  }

  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    await this.rollback()
    await this.#driver.releaseConnection(this.#inner)
  }

  streamQuery(): never {
    throw new Error('streaming is not supported')
  }

  async #run<T>(work: () => Promise<T>, how: { readonly mayCompleteAfterCrash: boolean }): Promise<T> {
    if (this.#isBroken) throw new DatabaseError('08003', 'the connection is gone')
    try {
      return await this.#faults.run(work, how)
    } catch (error) {
      if (error instanceof ProcessDied) {
        await this.release()
        return await never()
      }
      if (this.#isOpen) {
        this.#isBroken = true
        await this.rollback()
      }
      throw error
    }
  }
}

function own(connection: DatabaseConnection): FaultyDatabaseConnection {
  if (connection instanceof FaultyDatabaseConnection) return connection
  throw new Error('a connection of another store')
}
