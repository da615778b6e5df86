import { Pool, type PoolClient } from 'pg'
import { SECOND_MS } from '#core/time/instant.ts'
import type { DatabaseWay } from '#server/platform/database/database-health.ts'
import { GuardedClient } from '#server/platform/database/guarded-client.ts'
import { getTypeParser } from '#server/platform/database/postgres-types.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/**
 * 60 s: the database's statement timeout, much longer than any statement of the server takes. A stuck statement must
 * not hold its rows for ever.
 */
export const STATEMENT_MS = 60 * SECOND_MS
/**
 * TCP keep-alive after 5 s; ten seconds later the system gives up. This is how an idle connection notices a vanished
 * host.
 */
const KEEP_ALIVE_AFTER_MS = 5 * SECOND_MS

export interface PoolOptions {
  readonly url: string
  readonly max: number
  /** Whether its connections send statements without waiting for earlier replies. */
  readonly pipeline: boolean
  readonly log: Log
  readonly name: DatabaseWay['name']
  readonly Client: new () => GuardedClient
}

/** Opens a pool of monitored connections. */
export function createPool({ url, max, pipeline, log, name, Client: GuardedClients }: PoolOptions): Pool {
  try {
    const pool = new Pool({
      connectionString: url,
      max,
      pipeline,
      // PostgreSQL shows this name in `pg_stat_activity`.
      application_name: `fairwick ${name}`,
      // How long to wait for a free connection of the pool. Opening a new connection succeeds or fails earlier.
      connectionTimeoutMillis: 10_000,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      Client: GuardedClients,
      types: { getTypeParser },
    })
    // A broken connection is replaced, and its query reports the error to the caller. Without a listener on each
    // connection, a connection that breaks while in use would end the process. The pool's own listener covers idle
    // connections.
    pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ error: error.message }, 'a database connection was lost'))
    })
    pool.on('error', () => {})
    pool.on('acquire', (client) => markLent(client, true))
    pool.on('release', (_error, client) => markLent(client, false))
    return pool
  } catch (error) {
    throw new StartUpError('DATABASE_URL is not an address of the form postgres://user:password@host:5432/name.', {
      cause: error,
    })
  }
}

function markLent(client: PoolClient, isLent: boolean): void {
  if (!(client instanceof GuardedClient)) return
  client.isLent = isLent
  client.endLongRead()
}
