import { afterAll, beforeAll, beforeEach } from 'vitest'
import { assert } from '#core/result.ts'
import { openTestDatabase, type TestDatabase } from '#testing/database.ts'

/**
 * A database for the tests of a file, or of a `describe`: opened before the first of them, empty before each, closed after
 * the last.
 */
export function useTestDatabase(): TestDatabase {
  let opened: TestDatabase | null = null
  const current = (): TestDatabase => {
    assert(opened, 'the database is there while tests run')
    return opened
  }
  beforeAll(async () => {
    opened = await openTestDatabase()
  })
  beforeEach(() => current().truncateAll())
  afterAll(() => current().close())
  return {
    get db() {
      return current().db
    },
    get kind() {
      return current().kind
    },
    get connections() {
      return current().connections
    },
    truncateAll: () => current().truncateAll(),
    copied: () => current().copied(),
    asOwner: (work) => current().asOwner(work),
    close: () => current().close(),
  }
}
