import { Client, type Pool } from 'pg'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { CONNECT_WITHIN_MS, type GuardClock } from '#server/platform/database/guarded-client.ts'
import { PostgresConnections } from '#server/platform/database/postgres-connections.ts'
import { explainConnectError } from '#server/platform/database/postgres-errors.ts'
import { sharedConnection } from '#server/platform/database/shared-connection.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

const OLDEST_VERSION = 15

/** Two connections for orders: one for due orders, one for look-ups. */
const ORDER_CONNECTIONS = 2
/**
 * Connections that accept and settle orders. Each connection starts the next batch as soon as it has finished the
 * previous batch.
 */
const ORDER_LANES = 2
/** Pipelined statements per connection. Reading a page of a list takes less than 0.5 ms. */
const MAX_PIPELINED_READS = 32
/**
 * A plan made while the table of open orders was empty scans the whole table, even after the table has grown. For an
 * order among thousands that is a hundred times slower. Accepting and settling orders only uses keys. PostgreSQL would
 * also compile each batch again (`jit`), because of the estimated cost of these plans. That takes a seventh of the
 * time.
 */
const BY_KEY = 'set enable_seqscan = off; set jit = off'
/**
 * By default PostgreSQL plans each batch again, because a plan for five orders looks cheaper than a generic plan. But
 * only one plan makes sense.
 */
const BY_ONE_PLAN = 'set plan_cache_mode = force_generic_plan'

/** Opens the pools and checks that a supported PostgreSQL answers. Throws a `StartUpError` when not. */
export async function connectPostgres(options: {
  url: string
  poolSize: number
  log: Log
  clock?: GuardClock
}): Promise<Database> {
  const { url, poolSize, log, clock = systemClock } = options
  const connections = new PostgresConnections({ url, log, clock })
  const general = connections.createPool('calls', poolSize)
  const orders = connections.createPool('prices', ORDER_CONNECTIONS)
  const lanes = Array.from({ length: ORDER_LANES }, () => connections.createPool('orders', 1, true))
  const reads = connections.createPool('reads', 1, true)
  const leases = connections.createPool('leases', 1)
  try {
    await checkVersion(general.pool)
  } catch (error) {
    await connections.close()
    throw explainConnectError(error, url)
  }
  const db = connections.open(general)
  return {
    db,
    ordersDb: connections.open(orders, { settings: BY_KEY }),
    orderLanes: lanes.map((lane) =>
      connections.open(lane, { source: sharedConnection(lane.pool), settings: `${BY_KEY}; ${BY_ONE_PLAN}` }),
    ),
    leasesDb: connections.open(leases),
    readsDb: connections.open(reads, {
      source: sharedConnection(reads.pool, { maxPending: MAX_PIPELINED_READS, overflow: general.pool }),
    }),
    kind: 'postgres',
    connections: poolSize,
    waiting: () => general.pool.waitingCount + orders.pool.waitingCount,
    health: connections.health,
    cancel: (pid) => cancelSession(url, pid),
    enterServerRole: () => connections.enterServerRole(db),
    close: () => connections.close(),
  }
}

/** Cancels with the login itself, because the server's role may not control sessions of its login. */
async function cancelSession(url: string, pid: number): Promise<void> {
  const client = new Client({
    connectionString: url,
    application_name: 'fairwick',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
  })
  await client.connect()
  try {
    await client.query('select pg_cancel_backend($1)', [pid])
  } finally {
    await client.end()
  }
}

async function checkVersion(pool: Pool): Promise<void> {
  const client = await pool.connect()
  const { rows } = await client
    .query<{ number: number }>(`select current_setting('server_version_num')::int4 as number`)
    .finally(() => client.release())
  const version = Math.floor((rows[0]?.number ?? 0) / 10_000)
  if (version < OLDEST_VERSION) {
    throw new StartUpError(`The database is PostgreSQL ${version}; Fairwick needs ${OLDEST_VERSION} or newer.`)
  }
}
