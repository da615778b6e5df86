import { afterAll, beforeAll, beforeEach } from 'vitest'
import { assert } from '#core/result.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'

/** The embedded one of the file before: opening another takes longer than most files do. */
let idle: TestDatabase | null = null

/**
 * A database for the tests of a file, or of a `describe`: there before the first of them, empty before each, or before the
 * first where they go on from each other. Tests that change its schema open one of their own, or say that no other file
 * may have it after them (`isReused`).
 */
export function useTestDatabase({
  emptied = 'each',
  isReused = true,
}: {
  emptied?: 'each' | 'once'
  isReused?: boolean
} = {}): TestDatabase {
  let opened: TestDatabase | null = null
  let isSpent = !isReused
  const current = (): TestDatabase => {
    assert(opened, 'the database is there while tests run')
    return opened
  }
  beforeAll(async () => {
    opened = idle ?? (await openTestDatabase())
    idle = null
    if (emptied === 'once') await opened.truncateAll()
  })
  if (emptied === 'each') beforeEach(() => current().truncateAll())
  afterAll(async () => {
    if (isSpent || idle !== null || current().kind === 'postgres') await current().close()
    else idle = current()
  })
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
    get cancel() {
      return current().cancel
    },
    truncateAll: () => current().truncateAll(),
    copied: () => {
      isSpent = true
      return current().copied()
    },
    asOwner: (work) => current().asOwner(work),
    close: () => {
      isSpent = true
      return current().close()
    },
  }
}
