import { afterAll, beforeAll, beforeEach } from 'vitest'
import { assert } from '#core/result.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'

/**
 * The embedded database of the previous file. Later files reuse it, because opening a database takes longer than most
 * test files.
 */
let idle: TestDatabase | null = null

/**
 * Provides a database for a file or a `describe`, emptied before each test, or once before the first.
 * Tests that change the schema open their own database, or forbid later files to reuse this one with `isReused`.
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
