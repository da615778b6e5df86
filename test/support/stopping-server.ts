import type { KyselyPlugin } from 'kysely'
import type { TestDatabase } from '#test/support/database.ts'

/** The database of a server that stops before a chosen statement. */
export interface StoppingServer {
  /** The same database. Its statements fail once the server has stopped. */
  readonly opened: () => TestDatabase
  /** Stops the server after this many statements. */
  readonly stopAfter: (statements: number) => void
  readonly run: () => void
}

export function stoppingServer(database: TestDatabase): StoppingServer {
  let left = Number.POSITIVE_INFINITY
  const stops: KyselyPlugin = {
    transformQuery: ({ node }) => {
      left -= 1
      if (left < 0) throw new Error('the server stops')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return {
    opened: () => ({ ...database, db: database.db.withPlugin(stops) }),
    stopAfter: (statements) => void (left = statements),
    run: () => void (left = Number.POSITIVE_INFINITY),
  }
}
