import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { test as base } from './fixtures.ts'

/**
 * For journeys that run the whole server in the process of the test, each on a new database. This fixture and the
 * fixture of the server need `auto`, so that Playwright sets them up before the page and tears them down after it. A
 * page that loses its server would report errors.
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
