import type { DatabaseHealth } from '#server/platform/database/database-health.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'

export interface Database {
  readonly db: Db
  /** The same database, by connections of its own that nothing else can hold up, for what is looked up and decided to settle orders. */
  readonly ordersDb: Db
  /** And for what takes and settles them: each executes its statements one after the other, and has the next before it has answered the last. No transactions. */
  readonly orderLanes: readonly Db[]
  /** For single statements that read little: many of them share a connection in the same way. No transactions. */
  readonly readsDb: Db
  /** For the leases of this server: it must not lose what it holds because others wait for a connection. */
  readonly leasesDb: Db
  readonly kind: 'pglite' | 'postgres'
  /** How many statements can run at once. */
  readonly connections: number
  readonly health: DatabaseHealth
  /** Statements and transactions that wait for a connection. */
  waiting(): number
  /**
   * From now on every statement runs as the role that cannot change the books; call it once the schema is up to date.
   * Where the database does not let it, it says so in the log and goes on as the login.
   */
  enterServerRole(): Promise<void>
  /** Ends what this session of ours is doing, which then fails. The embedded database has one session, and would only get to it afterwards. */
  readonly cancel?: ((pid: number) => Promise<void>) | undefined
  /** Copies the embedded database, while it is used, to a folder that is not there yet; PostgreSQL has its own ways. */
  readonly copyTo?: (folder: string) => Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A PostgreSQL address; without it the embedded database keeps its files under `dataDir`. */
  readonly url?: string | undefined
  readonly dataDir: string
  readonly log: Log
  /** PostgreSQL connections in the pool; the embedded database has one session whatever is said here. */
  readonly poolSize?: number | undefined
  /** Of what is watched over connections and the folder: the machine's. */
  readonly clock?: Pick<ServerClock, 'steady' | 'after'>
}
