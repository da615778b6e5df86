import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool, type PoolClient, types } from 'pg'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type DatabaseHealth, type DatabaseWay, WriteTroubles } from '#server/platform/database/database-health.ts'
import {
  CONNECT_WITHIN_MS,
  createGuard,
  type Guard,
  type GuardClock,
  type GuardedClient,
} from '#server/platform/database/guarded-client.ts'
import { preparingPool, StatementNames } from '#server/platform/database/prepared-statements.ts'
import { ENTER_ROLE, SERVER_ROLE } from '#server/platform/database/server-role.ts'
import { type ConnectionSource, sharedConnection } from '#server/platform/database/shared-connection.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { errorCode, StartUpError } from '#server/platform/runtime/startup-error.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

const OLDEST_VERSION = 15

/** 60 s: the database's statement timeout, far above any of ours. A stuck statement must not hold its rows for ever. */
const STATEMENT_MS = 60 * SECOND_MS
/** Reply timeout of connections that accept and settle orders, make small reads or keep leases. */
const SILENT_MS = 5 * SECOND_MS
/** Reply timeout of all other connections: the longest normal statements take a few seconds on a busy machine. */
const SILENT_ELSEWHERE_MS = 15 * SECOND_MS
/** During migrations, statements may take as long as the database allows. */
const SILENT_MIGRATING_MS = STATEMENT_MS + SILENT_MS
/** TCP keep-alive after 5 s; ten seconds later the system gives up. This is how an idle connection notices a vanished host. */
const KEEP_ALIVE_AFTER_MS = 5 * SECOND_MS
/** How long to wait for a connection to close. */
const CLOSE_WITHIN_MS = SECOND_MS

const BYTEA = 17
const INT8 = 20
const INT8_ARRAY = 1016

/** One for due orders, one for look-ups. */
const ORDER_CONNECTIONS = 2
/** Connections that accept and settle orders. Each starts the next batch as soon as it has finished the last. */
const ORDER_LANES = 2
/** Pipelined statements per connection. Reading a page of a list takes less than 0.5 ms. */
const MAX_PIPELINED_READS = 32
/**
 * A plan made while the table of open orders was empty scans the whole table, however full it has become since. For an order among
 * thousands that is a hundred times slower. Accepting and settling orders only uses keys. With these plans' estimated cost PostgreSQL would
 * also compile each batch again (`jit`), a seventh of the time.
 */
const BY_KEY = 'set enable_seqscan = off; set jit = off'
/**
 * By default PostgreSQL plans each batch again, because a plan for five orders looks cheaper than a generic one. But there is only one
 * sensible plan.
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
  const guard = createGuard()
  const troubles = new WriteTroubles(() => clock.steady())
  const ways: DatabaseWay[] = []
  // Connections opened before the schema was up to date take the role when they are next used.
  let hasEntered = false
  let isMigrating = true
  const create = (name: DatabaseWay['name'], max: number, pipeline = false): GuardedPool => {
    let lastReplyAt = clock.steady()
    const isHasty = name !== 'calls'
    const silentMs = () => (isHasty ? SILENT_MS : isMigrating ? SILENT_MIGRATING_MS : SILENT_ELSEWHERE_MS)
    const onAnswer = () => {
      lastReplyAt = clock.steady()
    }
    const onSilent = () => {
      log.warn({ way: name, afterMs: silentMs() }, 'a database connection did not answer: replacing it')
      guard.renew()
    }
    const Guarded = guard.clientsOf({ clock, silentMs, onSilent, onAnswer, onError: (error) => troubles.note(error) })
    return {
      pool: createPool({ url, max, pipeline, log, name, Client: Guarded }),
      name,
      lastReplyAt: () => lastReplyAt,
    }
  }
  const pools = {
    general: create('calls', poolSize),
    orders: create('prices', ORDER_CONNECTIONS),
    lanes: Array.from({ length: ORDER_LANES }, () => create('orders', 1, true)),
    reads: create('reads', 1, true),
    leases: create('leases', 1),
  }
  const end = async (users: readonly Kysely<Tables>[]): Promise<void> => {
    // A vanished host never confirms the close.
    const cancel = clock.after(CLOSE_WITHIN_MS, () => guard.giveUp())
    for (const user of users) await user.destroy()
    // Kysely ends a pool only if it was used.
    for (const { pool } of Object.values(pools).flat()) if (!pool.ended) await pool.end()
    cancel()
  }
  try {
    await checkVersion(pools.general.pool)
  } catch (error) {
    await end([])
    throw explainConnectError(error, url)
  }
  const names = new StatementNames()
  const isReady = new WeakMap<DatabaseConnection, { inRole: boolean }>()
  const noted = (source: ConnectionSource): ConnectionSource => ({
    connect: async () => {
      try {
        return await source.connect()
      } catch (error) {
        troubles.note(error)
        throw error
      }
    },
    end: () => source.end(),
  })
  const open = (
    pool: ConnectionSource,
    { name, lastReplyAt }: GuardedPool,
    settings: string | null,
  ): Kysely<Tables> => {
    const onReserveConnection = async (connection: DatabaseConnection): Promise<void> => {
      const known = isReady.get(connection)
      if (known === undefined && settings !== null) await connection.executeQuery(CompiledQuery.raw(settings))
      if (hasEntered && known?.inRole !== true) await connection.executeQuery(CompiledQuery.raw(ENTER_ROLE))
      isReady.set(connection, { inRole: hasEntered })
    }
    const opened = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: preparingPool(noted(pool), names), onReserveConnection }),
    })
    ways.push({ name, db: opened, lastReplyAt })
    return opened
  }
  const { general, orders, lanes, reads, leases } = pools
  const db = open(general.pool, general, null)
  const ordersDb = open(orders.pool, orders, BY_KEY)
  const orderLanes = lanes.map((lane) => open(sharedConnection(lane.pool), lane, `${BY_KEY}; ${BY_ONE_PLAN}`))
  const leasesDb = open(leases.pool, leases, null)
  const readsDb = open(
    sharedConnection(reads.pool, { maxPending: MAX_PIPELINED_READS, overflow: general.pool }),
    reads,
    null,
  )
  return {
    db,
    ordersDb,
    orderLanes,
    readsDb,
    leasesDb,
    kind: 'postgres',
    connections: poolSize,
    waiting: () => general.pool.waitingCount + orders.pool.waitingCount,
    health: healthOf({ guard, troubles, ways }),
    cancel: (pid) => cancelSession(url, pid),
    enterServerRole: async () => {
      hasEntered = await mayEnterRole(db, log)
      isMigrating = false
    },
    close: async () => {
      await end([db, ordersDb, ...orderLanes, readsDb, leasesDb])
    },
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

async function mayEnterRole(db: Kysely<Tables>, log: Log): Promise<boolean> {
  try {
    // In a transaction, so that the test leaves no trace on the connection.
    await db.transaction().execute((tx) => sql.raw(ENTER_ROLE.replace('set role', 'set local role')).execute(tx))
    return true
  } catch (error) {
    log.warn(
      { role: SERVER_ROLE, why: error instanceof Error ? error.message : 'unknown' },
      'the server runs with all rights of its database login and could change the ledger; docs/guides/operate.md explains how to restrict them',
    )
    return false
  }
}

interface PoolOptions {
  readonly url: string
  readonly max: number
  /** Whether its connections send statements without waiting for earlier replies. */
  readonly pipeline: boolean
  readonly log: Log
  readonly name: DatabaseWay['name']
  readonly Client: new () => GuardedClient
}

interface GuardedPool extends Pick<DatabaseWay, 'name' | 'lastReplyAt'> {
  readonly pool: Pool
}

function healthOf(parts: {
  readonly guard: Guard
  readonly troubles: WriteTroubles
  readonly ways: readonly DatabaseWay[]
}): DatabaseHealth {
  return {
    ways: parts.ways,
    writeTrouble: () => parts.troubles.current(),
    renew: () => parts.guard.renew(),
    giveUp: () => parts.guard.giveUp(),
  }
}

function createPool({ url, max, pipeline, log, name, Client: GuardedClients }: PoolOptions): Pool {
  try {
    const pool = new Pool({
      connectionString: url,
      max,
      pipeline,
      // Shown in `pg_stat_activity`.
      application_name: `fairwick ${name}`,
      // How long to wait for a free connection. A new connection is opened sooner or not at all.
      connectionTimeoutMillis: 10_000,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      Client: GuardedClients,
      types: { getTypeParser },
    })
    // A broken connection is replaced, and its query reports the error to the caller. Without a listener on each connection, one that
    // breaks in use would end the process. The pool's own listener covers idle connections.
    pool.on('connect', (client) => {
      client.on('error', (error) => log.warn({ error: error.message }, 'a database connection was lost'))
    })
    pool.on('error', () => {})
    const lent = (client: PoolClient, isLent: boolean): void => {
      if (!isGuarded(client)) return
      client.isLent = isLent
      client.endLongRead()
    }
    pool.on('acquire', (client) => lent(client, true))
    pool.on('release', (_error, client) => lent(client, false))
    return pool
  } catch (error) {
    throw new StartUpError('DATABASE_URL is not an address of the form postgres://user:password@host:5432/name.', {
      cause: error,
    })
  }
}

function isGuarded(client: PoolClient): client is PoolClient & GuardedClient {
  return 'endLongRead' in client
}

/** Parses only this pool's results. The driver's global settings stay unchanged. */
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

/** Parses `{1,NULL,-3}`. Nested arrays do not occur. */
function parseInt8Array(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return inner.split(',').map((item) => (item === 'NULL' ? null : BigInt(item)))
}

/** Parses `\x0aff` to a plain Uint8Array, as in the embedded database, instead of Node's Buffer. */
function parseBytea(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
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

/** The parts of the address that may be shown, without the password. */
function describeAddress(url: string): { host: string; user: string; name: string } {
  if (!URL.canParse(url)) return { host: 'the given address', user: 'unknown', name: 'unknown' }
  const { hostname, port, username, pathname } = new URL(url)
  return {
    host: `${hostname || 'localhost'}:${port || '5432'}`,
    user: decodeURIComponent(username),
    name: decodeURIComponent(pathname.slice(1)),
  }
}
