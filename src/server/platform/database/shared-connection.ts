import type { Pool, PoolClient } from 'pg'

/** What is needed of a pool. */
export interface ConnectionSource {
  connect(): Promise<LentConnection>
  end(): Promise<void>
}
/** What is needed of a connection that it lends. */
export type LentConnection = Pick<PoolClient, 'query' | 'getTransactionStatus' | 'release'>

/** Beyond `most` statements under way, the next ones are lent a connection of their own by this other pool. */
export interface Crowd {
  readonly most: number
  readonly beyond: Pick<Pool, 'connect'>
}

/**
 * Lends one connection of a pool to everybody at once: each statement goes out without waiting for the answers of those
 * before it (the pool has to be made with `pipeline`), and the database executes them one after the other. Only for
 * statements that stand by themselves: what begins a transaction would have the others take part in it.
 *
 * A connection that breaks fails the statements under way and is lent to nobody else: the next ones wait for a new one.
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
      // Before those whose statements fail hear of it: they may come again at once.
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
      if (crowd !== null && current !== null && current.users >= crowd.most) return await crowd.beyond.connect()
      const lending = (current ??= lend())
      // Counted before anything is waited for, or the last of the others would give the connection back meanwhile.
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

/** The same object for the same connection, whenever it is lent: what was set up on it is remembered by that. */
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
