import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { TestDatabase } from '#test/support/database.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

export interface World {
  readonly database: TestDatabase
  /** Called in a `describe` whose tests change nothing: all of them use the same database and app. */
  readonly share: () => void
}

/**
 * Provides an empty database and calls `begin` before each test of a file, and `end` after it. Starting an app takes
 * longer than most requests that are refused, so tests with tables of such requests share one app.
 */
export function useWorld({
  begin,
  end,
}: {
  readonly begin: (database: TestDatabase) => Promise<void>
  readonly end: () => Promise<void>
}): World {
  const database = useTestDatabase({ emptied: 'once' })
  const state = { isShared: false }
  const start = async () => {
    await database.truncateAll()
    await begin(database)
  }
  beforeEach(async () => {
    if (!state.isShared) await start()
  })
  afterEach(async () => {
    if (!state.isShared) await end()
  })
  function share(): void {
    beforeAll(async () => {
      state.isShared = true
      await start()
    })
    afterAll(async () => {
      state.isShared = false
      await end()
    })
  }
  return { database, share }
}
