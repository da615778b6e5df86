import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { QueryResult } from 'pg'
import { arrayLiteral } from '#server/platform/database/array-literal.ts'
import type { ConnectionSource, LentConnection } from '#server/platform/database/shared-connection.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** A statement is worth preparing once it has come this often: then it comes all the time. */
const WORTH_AFTER = 50
/** Each connection keeps a plan of each. */
const MOST_PREPARED = 200
/** Texts that are counted before those that came too rarely are forgotten. */
const MOST_COUNTED = 1_000
/** PostgreSQL: a column was added to what `select *` of a prepared statement gives. */
const RESULT_CHANGED = '0A000'

/**
 * A pool whose connections prepare the statements that come again and again: the database parses and plans those once
 * for each connection instead of every time. Only statements with parameters: the others are few, and change things. Pools
 * that lend each other's connections have the same `names`.
 */
export function preparingPool(pool: ConnectionSource, names: StatementNames): PostgresPool {
  const clients = new WeakMap<LentConnection, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      if (known !== undefined) return known
      const preparing = new PreparingClient(client, names)
      clients.set(client, preparing)
      return preparing
    },
    end: () => pool.end(),
  }
}

/** Which statements are prepared, and by what name; the same on every connection. */
export class StatementNames {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()

  /** Counts a use of it. Answers its name; null when it is not to be prepared. */
  nameOf(text: string): string | null {
    const name = this.#names.get(text)
    if (name !== undefined) return name
    if (this.#names.size >= MOST_PREPARED) return null
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < WORTH_AFTER) {
      if (this.#uses.size >= MOST_COUNTED) this.#uses.clear()
      this.#uses.set(text, uses)
      return null
    }
    this.#uses.delete(text)
    const made = `s${this.#names.size + 1}`
    this.#names.set(text, made)
    return made
  }
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: LentConnection
  readonly #names: StatementNames
  /** Prepared here before a table changed under them. They go as they are from now on. */
  readonly #outdated = new Set<string>()

  constructor(client: LentConnection, names: StatementNames) {
    this.#client = client
    this.#names = names
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('nothing here reads by cursor')
    return this.#run<R>(asked, parameters.map(asSent))
  }

  async #run<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    const name = values.length === 0 || this.#outdated.has(text) ? null : this.#names.nameOf(text)
    if (name === null) return asKyselyHasIt<R>(await this.#client.query({ text, values }))
    try {
      return asKyselyHasIt<R>(await this.#client.query({ name, text, values }))
    } catch (error) {
      if (errorCode(error) !== RESULT_CHANGED) throw error
      // Another server, newer than this one, added a column. Inside a transaction that is over now; by itself it has done nothing.
      this.#outdated.add(text)
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return asKyselyHasIt<R>(await this.#client.query({ text, values }))
    }
  }

  release(): void {
    this.#client.release()
  }
}

function asSent(value: unknown): unknown {
  return Array.isArray(value) ? arrayLiteral(value) : value
}

/** The driver's own type leaves open what a statement of ours always has. */
function asKyselyHasIt<R>(result: QueryResult): PostgresQueryResult<R> {
  return result as PostgresQueryResult<R>
}
