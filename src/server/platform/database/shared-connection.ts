import type { Pool, PoolClient } from 'pg'

/** The part of a pool that is needed here. */
export interface ConnectionSource {
  connect(): Promise<LentConnection>
  end(): Promise<void>
}
/** The part of a lent connection that is needed here. */
export type LentConnection = Pick<PoolClient, 'query' | 'getTransactionStatus' | 'release'>

/** When more than `maxPending` statements are pending, the next statements get a connection from this other pool. */
export interface Crowd {
  readonly maxPending: number
  readonly overflow: Pick<Pool, 'connect'>
}

/**
 * Lends one connection of a pool to all callers at the same time. Each statement is sent without waiting for earlier
 * replies (the pool must use `pipeline`), and the database runs them one after another. Only for independent
 * statements: a transaction would include the statements of other callers.
 *
 * A broken connection fails its pending statements and is not lent again. The next statements wait for a new
 * connection.
 */
export function sharedConnection(pool: Pool, crowd: Crowd | null = null): ConnectionSource {
  const known = new WeakMap<PoolClient, Shared>()
  let current: Lending | null = null

  function lend(): Lending {
    const lending: Lending = { users: 0, shared: open() }
    return lending

    async function open(): Promise<Shared> {
      const client = await pool.connect().catch((error: unknown) => {
        drop()
        throw error
      })
      // Runs before callers learn of their failed statements, because callers may retry at once.
      client.once('error', drop)
      const shared = known.get(client) ?? new Shared(client)
      known.set(client, shared)
      shared.onRelease = () => {
        lending.users -= 1
        if (lending.users > 0) return
        drop()
        client.off('error', drop)
        client.release()
      }
      return shared
    }

    function drop(): void {
      if (current === lending) current = null
    }
  }

  return {
    async connect() {
      if (crowd !== null && current !== null && current.users >= crowd.maxPending) return await crowd.overflow.connect()
      const lending = (current ??= lend())
      // The use is counted before the await. Otherwise the last other caller could return the connection in the
      // meantime.
      lending.users += 1
      return await lending.shared
    },
    end: () => pool.end(),
  }
}

interface Lending {
  users: number
  readonly shared: Promise<Shared>
}

/**
 * Returns the same object for the same connection each time, because the connection's settings are remembered by
 * object.
 */
class Shared implements LentConnection {
  readonly query: PoolClient['query']
  readonly #client: PoolClient
  onRelease: () => void = () => {}

  constructor(client: PoolClient) {
    this.#client = client
    this.query = client.query.bind(client)
  }

  getTransactionStatus() {
    return this.#client.getTransactionStatus()
  }

  release(): void {
    this.onRelease()
  }
}
