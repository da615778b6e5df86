import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { QueryResult } from 'pg'
import { arrayLiteral } from '#server/platform/database/array-literal.ts'
import type { ConnectionSource, LentConnection } from '#server/platform/database/shared-connection.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** A statement is prepared after 50 uses, because it then recurs constantly. */
const WORTH_AFTER = 50
/** Each connection keeps a plan for each prepared statement. */
const MAX_PREPARED = 200
/** How many statement texts are counted before rare texts are dropped. */
const MAX_COUNTED_TEXTS = 1_000
/** PostgreSQL: a column was added to the result of a prepared `select *`. */
const RESULT_CHANGED = '0A000'

/**
 * A pool whose connections prepare frequent statements, so that the database parses and plans them once per connection.
 * Only statements with parameters are prepared; the others are rare and change data. Pools that lend each other
 * connections must share the same `names`.
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

/** The prepared statements with their names, the same on every connection. */
export class StatementNames {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()

  /** Counts a use of the statement. Returns its name; null when it is not prepared. */
  nameOf(text: string): string | null {
    const name = this.#names.get(text)
    if (name !== undefined) return name
    if (this.#names.size >= MAX_PREPARED) return null
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < WORTH_AFTER) {
      if (this.#uses.size >= MAX_COUNTED_TEXTS) this.#uses.clear()
      this.#uses.set(text, uses)
      return null
    }
    this.#uses.delete(text)
    const newName = `s${this.#names.size + 1}`
    this.#names.set(text, newName)
    return newName
  }
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: LentConnection
  readonly #names: StatementNames
  /** Statements that this connection prepared before a table changed. From now on they are sent unprepared. */
  readonly #outdated = new Set<string>()

  constructor(client: LentConnection, names: StatementNames) {
    this.#client = client
    this.#names = names
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== 'string') throw new Error('reading by cursor is not supported')
    return this.#run<R>(statement, parameters.map(asSent))
  }

  async #run<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    const name = values.length === 0 || this.#outdated.has(text) ? null : this.#names.nameOf(text)
    if (name === null) return asKyselyHasIt<R>(await this.#client.query({ text, values }))
    try {
      return asKyselyHasIt<R>(await this.#client.query({ name, text, values }))
    } catch (error) {
      if (errorCode(error) !== RESULT_CHANGED) throw error
      // A newer server has added a column. Inside a transaction, the whole transaction has failed and must be repeated.
      // A single statement has done nothing.
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

/** The driver's type leaves fields optional that our statements always have. */
function asKyselyHasIt<R>(result: QueryResult): PostgresQueryResult<R> {
  return result as PostgresQueryResult<R>
}
