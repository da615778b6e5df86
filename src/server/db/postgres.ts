import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool, types } from 'pg'
import type { Log } from '#server/context.ts'
import type { Database } from '#server/db/connect.ts'
import { preparingPool, StatementNames } from '#server/db/prepared-statements.ts'
import { ENTER_ROLE, SERVER_ROLE } from '#server/db/server-role.ts'
import { type ConnectionSource, sharedConnection } from '#server/db/shared-connection.ts'
import type { Tables } from '#server/db/tables.ts'
import { errorCode, StartUpError } from '#server/start-up-error.ts'

const OLDEST_VERSION = 15

const BYTEA = 17
const INT8 = 20
const INT8_ARRAY = 1016

/** One for what is due, and one that looks something up. */
const ORDER_CONNECTIONS = 2
/** Those that take and settle orders: each goes on with the next batch as soon as it has the last one. */
const ORDER_LANES = 2
/** Statements that one connection may have before it; it reads a page of a list in less than half a millisecond. */
const MOST_READS = 32
/**
 * A table of open orders that was empty when a statement was planned is read from end to end by that plan, however full it has
 * become since: for an order that is looked up among thousands, a hundred times slower. What takes and settles orders only
 * ever asks by a key. What PostgreSQL then thinks a plan costs would also have it compile the statement again for each
 * batch, which took a seventh of the time.
 */
const BY_KEY = 'set enable_seqscan = off; set jit = off'
/**
 * By default PostgreSQL plans a statement anew for each batch, as a plan for five orders looks cheaper than one for any number; but
 * there is only one way to go about it.
 */
const BY_ONE_PLAN = 'set plan_cache_mode = force_generic_plan'

/** Opens the pools and makes sure that a PostgreSQL we can work with answers. Throws a `StartUpError` when not. */
export async function connectPostgres(options: { url: string; poolSize: number; log: Log }): Promise<Database> {
  const { url, poolSize, log } = options
  const create = (max: number, pipeline = false): Pool => createPool({ url, max, pipeline, log })
  const pools = {
    general: create(poolSize),
    orders: create(ORDER_CONNECTIONS),
    lanes: Array.from({ length: ORDER_LANES }, () => create(1, true)),
    reads: create(1, true),
    leases: create(1),
  }
  const end = async (): Promise<void> => {
    for (const pool of Object.values(pools).flat()) if (!pool.ended) await pool.end()
  }
  try {
    await checkVersion(pools.general)
  } catch (error) {
    await end()
    throw explainConnectError(error, url)
  }
  // Connections that were opened before the schema was up to date enter the role when they are taken next.
  let hasEntered = false
  const names = new StatementNames()
  const isReady = new WeakMap<DatabaseConnection, { inRole: boolean }>()
  const open = (pool: ConnectionSource, settings: string | null): Kysely<Tables> => {
    const onReserveConnection = async (connection: DatabaseConnection): Promise<void> => {
      const known = isReady.get(connection)
      if (known === undefined && settings !== null) await connection.executeQuery(CompiledQuery.raw(settings))
      if (hasEntered && known?.inRole !== true) await connection.executeQuery(CompiledQuery.raw(ENTER_ROLE))
      isReady.set(connection, { inRole: hasEntered })
    }
    return new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: preparingPool(pool, names), onReserveConnection }),
    })
  }
  const db = open(pools.general, null)
  const ordersDb = open(pools.orders, BY_KEY)
  const orderLanes = pools.lanes.map((pool) => open(sharedConnection(pool), `${BY_KEY}; ${BY_ONE_PLAN}`))
  const leasesDb = open(pools.leases, null)
  const readsDb = open(sharedConnection(pools.reads, { most: MOST_READS, beyond: pools.general }), null)
  return {
    db,
    ordersDb,
    orderLanes,
    readsDb,
    leasesDb,
    kind: 'postgres',
    connections: poolSize,
    waiting: () => pools.general.waitingCount + pools.orders.waitingCount,
    cancel: (pid) => cancelSession(url, pid),
    enterServerRole: async () => {
      hasEntered = await mayEnterRole(db, log)
    },
    close: async () => {
      for (const each of [db, ordersDb, ...orderLanes, readsDb, leasesDb]) await each.destroy()
      // Kysely ends a pool only if it was ever used.
      await end()
    },
  }
}

/** By the login itself: the server's role may not touch the sessions of its login. */
async function cancelSession(url: string, pid: number): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'fairwick', connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query('select pg_cancel_backend($1)', [pid])
  } finally {
    await client.end()
  }
}

async function mayEnterRole(db: Kysely<Tables>, log: Log): Promise<boolean> {
  try {
    // In a transaction, so that trying leaves no trace on the connection.
    await db.transaction().execute((tx) => sql.raw(ENTER_ROLE.replace('set role', 'set local role')).execute(tx))
    return true
  } catch (error) {
    log.warn(
      { role: SERVER_ROLE, why: error instanceof Error ? error.message : 'unknown' },
      'the server runs with all rights of its database login, which could change the books; docs/operating.md says how to give it fewer',
    )
    return false
  }
}

interface PoolOptions {
  readonly url: string
  readonly max: number
  /** Whether its connections send statements without waiting for the answers to those before. */
  readonly pipeline: boolean
  readonly log: Log
}

function createPool({ url, max, pipeline, log }: PoolOptions): Pool {
  try {
    const pool = new Pool({
      connectionString: url,
      max,
      pipeline,
      application_name: 'fairwick',
      connectionTimeoutMillis: 10_000,
      // Far above what any of our statements takes: a stuck one must not hold its rows for ever.
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      types: { getTypeParser },
    })
    // A connection that breaks is replaced, and whoever used it is told by its query. Without a listener on each, one that
    // breaks while it is in use would end the process; the pool's own is for those that nobody uses.
    pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ error: error.message }, 'a database connection was lost'))
    })
    pool.on('error', () => {})
    return pool
  } catch (error) {
    throw new StartUpError('DATABASE_URL is not an address of the form postgres://user:password@host:5432/name.', {
      cause: error,
    })
  }
}

/** Only this pool's own results are read this way; the driver's global settings stay as they are. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  switch (oid) {
    case INT8:
      return BigInt
    case INT8_ARRAY:
      return parseInt8Array
    case BYTEA:
      return parseBytea
    default:
      return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
  }
}

/** `{1,NULL,-3}`; we never make nested ones. */
function parseInt8Array(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return inner.split(',').map((item) => (item === 'NULL' ? null : BigInt(item)))
}

/** `\x0aff`: a plain Uint8Array, as the embedded database gives, instead of Node's Buffer. */
function parseBytea(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

async function checkVersion(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ number: number }>(`select current_setting('server_version_num')::int4 as number`)
  const version = Math.floor((rows[0]?.number ?? 0) / 10_000)
  if (version < OLDEST_VERSION) {
    throw new StartUpError(`The database is PostgreSQL ${version}; Fairwick needs ${OLDEST_VERSION} or newer.`)
  }
}

function explainConnectError(error: unknown, url: string): unknown {
  if (error instanceof StartUpError) return error
  const { host, user, name } = describeAddress(url)
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return new StartUpError(`The database at ${host} refuses user ${user}: wrong user name or password.`, {
        cause: error,
      })
    case '3D000':
      return new StartUpError(`The database server at ${host} has no database called ${name}.`, { cause: error })
    case '53300':
      return new StartUpError(`The database at ${host} has no connections left.`, { cause: error })
    default: {
      const why = errorCode(error) ?? (error instanceof Error ? error.message : 'unknown error')
      return new StartUpError(
        `The database at ${host} does not answer (${why}). Is it running, and is DATABASE_URL right?`,
        {
          cause: error,
        },
      )
    }
  }
}

/** The parts of the address that may be shown: never the password. */
function describeAddress(url: string): { host: string; user: string; name: string } {
  if (!URL.canParse(url)) return { host: 'the given address', user: 'unknown', name: 'unknown' }
  const { hostname, port, username, pathname } = new URL(url)
  return {
    host: `${hostname || 'localhost'}:${port || '5432'}`,
    user: decodeURIComponent(username),
    name: decodeURIComponent(pathname.slice(1)),
  }
}
