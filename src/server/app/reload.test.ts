import { expect, it } from 'vitest'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { loadSiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { loadTextOverrides } from '#server/site/text-overrides/text-overrides.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

/** Returns the database, and the largest number of statements that ran at the same time. */
function counted(): { readonly db: Db; readonly highest: () => number } {
  let running = 0
  let highest = 0
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      running += 1
      highest = Math.max(highest, running)
      return node
    },
    async transformResult({ result }) {
      running -= 1
      return result
    },
  })
  return { db, highest: () => highest }
}

it.each([
  ['settings', (ctx) => loadSettings(ctx.db)],
  ['announcements', (ctx) => loadSiteAnnouncements(ctx)],
  ['texts', (ctx) => loadTextOverrides(ctx)],
] satisfies [string, (ctx: Ctx) => Promise<{ reload: () => Promise<void> }>][])(
  'concurrent reloads of the %s read one after another, so that no reload restores old data',
  async (_, load) => {
    const { db, highest } = counted()
    const loaded = await load({ ...createTestContext(database.db), db })
    await Promise.all([loaded.reload(), loaded.reload()])
    expect(highest()).toBe(1)
  },
)
