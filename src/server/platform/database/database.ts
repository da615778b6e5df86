import type { DatabaseHealth } from '#server/platform/database/database-health.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'

export interface Database {
  readonly db: Db
  /** Connections for finding due orders and writing settlement prices, so that other work cannot delay them. */
  readonly ordersDb: Db
  /**
   * Connections for accepting and settling orders. Each connection pipelines its statements and runs them one after
   * another, so it must not be used for transactions.
   */
  readonly orderLanes: readonly Db[]
  /**
   * A handle for small, single reads. Many reads share a pipelined connection, so it must not be used for transactions.
   */
  readonly readsDb: Db
  /** A handle for this server's leases, which must not be lost because other work waits for a connection. */
  readonly leasesDb: Db
  readonly kind: 'pglite' | 'postgres'
  /** How many statements can run at the same time. */
  readonly connections: number
  readonly health: DatabaseHealth
  /** The number of statements and transactions waiting for a connection. */
  waiting(): number
  /**
   * Runs every later statement as the role that cannot change the ledger. Call it once the schema is up to date. Where
   * the database does not allow this, it logs a warning and continues as the login.
   */
  enterServerRole(): Promise<void>
  /**
   * Cancels the statement that one of the server's sessions runs. The statement then fails. Missing on the embedded
   * database: its only session is busy with the statement, and could not run the cancellation in time.
   */
  readonly cancel?: ((pid: number) => Promise<void>) | undefined
  /** Copies the embedded database, while in use, to a new folder. PostgreSQL has its own tools. */
  readonly copyTo?: (folder: string) => Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A PostgreSQL address. Without it the embedded database stores its files in `dataDir`. */
  readonly url?: string | undefined
  readonly dataDir: string
  readonly log: Log
  /** PostgreSQL connections in the pool. The embedded database always has one session. */
  readonly poolSize?: number | undefined
  /** The clock for watching connections and the folder. Default: the machine's. */
  readonly clock?: Pick<ServerClock, 'steady' | 'after'>
}
