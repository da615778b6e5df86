import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { SECOND_MS } from '#core/time/instant.ts'
import { type DatabaseHealth, type DatabaseWay, WriteTroubles } from '#server/platform/database/database-health.ts'
import { Guard, type GuardClock } from '#server/platform/database/guarded-client.ts'
import { createPool, STATEMENT_MS } from '#server/platform/database/postgres-pool.ts'
import { preparingPool, StatementNames } from '#server/platform/database/prepared-statements.ts'
import { ENTER_ROLE, SERVER_ROLE } from '#server/platform/database/server-role.ts'
import type { ConnectionSource, LentConnection } from '#server/platform/database/shared-connection.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import type { Log } from '#server/platform/runtime/ports.ts'

/** Reply timeout of connections that accept and settle orders, make small reads or keep leases. */
const SILENT_MS = 5 * SECOND_MS
/** Reply timeout of all other connections: the longest normal statements take a few seconds on a busy machine. */
const SILENT_ELSEWHERE_MS = 15 * SECOND_MS
/** During migrations, statements may take as long as the database allows. */
const SILENT_MIGRATING_MS = STATEMENT_MS + SILENT_MS
/** How long to wait for a connection to close. */
const CLOSE_WITHIN_MS = SECOND_MS

export interface GuardedPool extends Pick<DatabaseWay, 'name' | 'lastReplyAt'> {
  readonly pool: Pool
}

interface ConnectionsOptions {
  readonly url: string
  readonly log: Log
  readonly clock: GuardClock
}

/** All connections to one PostgreSQL: their pools, database handles, state of health and role. */
export class PostgresConnections {
  readonly #options: ConnectionsOptions
  readonly #guard = new Guard()
  readonly #troubles: WriteTroubles
  readonly #pools: Pool[] = []
  readonly #ways: DatabaseWay[] = []
  readonly #names = new StatementNames()
  readonly #ready = new WeakMap<LentConnection, { readonly inRole: boolean }>()
  /**
   * Whether connections take the role of the server. Connections that were opened before take it when they are next
   * used.
   */
  #hasEntered = false
  #isMigrating = true

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#troubles = new WriteTroubles(() => options.clock.steady())
  }

  /** Opens a pool. With `pipeline` its connections send statements without waiting for earlier replies. */
  createPool(name: DatabaseWay['name'], max: number, pipeline = false): GuardedPool {
    const { url, log, clock } = this.#options
    let lastReplyAt = clock.steady()
    const silentMs = () => this.#silentMs(name)
    const onAnswer = () => {
      lastReplyAt = clock.steady()
    }
    const onSilent = () => {
      log.warn({ way: name, afterMs: silentMs() }, 'a database connection did not answer: replacing it')
      this.#guard.renew()
    }
    const onError = (error: unknown) => this.#troubles.note(error)
    const Client = this.#guard.clientsOf({ clock, silentMs, onSilent, onAnswer, onError })
    const pool = createPool({ url, max, pipeline, log, name, Client })
    this.#pools.push(pool)
    return { pool, name, lastReplyAt: () => lastReplyAt }
  }

  /**
   * Opens a database handle on `source`, which lends connections of the pool. Each connection runs the SQL `settings`
   * before its first use.
   */
  open(
    { name, lastReplyAt, pool }: GuardedPool,
    { source = pool, settings = null }: { readonly source?: ConnectionSource; readonly settings?: string | null } = {},
  ): Kysely<Tables> {
    const pooled = preparingPool(this.#settingUp(this.#noted(source), settings), this.#names)
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pooled }) })
    this.#ways.push({ name, db, lastReplyAt })
    return db
  }

  get health(): DatabaseHealth {
    return {
      ways: this.#ways,
      writeTrouble: () => this.#troubles.current(),
      renew: () => this.#guard.renew(),
      giveUp: () => this.#guard.giveUp(),
    }
  }

  /** Takes the role of the server on every connection, once the schema is up to date. */
  async enterServerRole(db: Kysely<Tables>): Promise<void> {
    this.#hasEntered = await canEnterRole(db, this.#options.log)
    this.#isMigrating = false
  }

  async close(): Promise<void> {
    // A vanished host never confirms the close, so all connections are destroyed after 1 s.
    const cancel = this.#options.clock.after(CLOSE_WITHIN_MS, () => this.#guard.giveUp())
    for (const { db } of this.#ways) await db.destroy()
    // Kysely ends a pool only if it was used.
    for (const pool of this.#pools) if (!pool.ended) await pool.end()
    cancel()
  }

  #silentMs(name: DatabaseWay['name']): number {
    if (name !== 'calls') return SILENT_MS
    return this.#isMigrating ? SILENT_MIGRATING_MS : SILENT_ELSEWHERE_MS
  }

  /**
   * Lends connections that have run `settings` and have the right role. A connection that cannot be set up goes back to
   * its pool: Kysely would keep it for ever if this were done in its `onReserveConnection`.
   */
  #settingUp(source: ConnectionSource, settings: string | null): ConnectionSource {
    return {
      connect: async () => {
        const connection = await source.connect()
        try {
          await this.#setUp(connection, settings)
          return connection
        } catch (error) {
          connection.release()
          throw error
        }
      },
      end: () => source.end(),
    }
  }

  async #setUp(connection: LentConnection, settings: string | null): Promise<void> {
    const known = this.#ready.get(connection)
    if (known === undefined && settings !== null) await connection.query(settings)
    if (this.#hasEntered && known?.inRole !== true) await connection.query(ENTER_ROLE)
    this.#ready.set(connection, { inRole: this.#hasEntered })
  }

  #noted(source: ConnectionSource): ConnectionSource {
    return {
      connect: async () => {
        try {
          return await source.connect()
        } catch (error) {
          this.#troubles.note(error)
          throw error
        }
      },
      end: () => source.end(),
    }
  }
}

async function canEnterRole(db: Kysely<Tables>, log: Log): Promise<boolean> {
  try {
    // Takes the role only inside a transaction, so that the connection keeps its own role afterwards.
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
