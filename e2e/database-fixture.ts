import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { test as base } from './fixtures.ts'

/**
 * For journeys that run the whole server in their own process, on a database of their own. This fixture and that of the
 * server need `auto`: they are then set up before the page and torn down after it. A page that loses its server reports
 * errors.
 */
export const test = base.extend<{ database: TestDatabase }>({
  database: [
    async ({}, use) => {
      const database = await openTestDatabase()
      await use(database)
      await database.close()
    },
    { auto: true },
  ],
})
