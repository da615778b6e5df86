import type { Ctx } from '#server/platform/context/context.ts'
import { SHIPPED_CONTENT } from '#server/site/content/shipped-content.ts'

/**
 * Inserts the shipped entries that the database lacks. Entries that the operator hid or rewrote are in the database, so
 * they stay as they are.
 */
export async function seedContent(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .insertInto('content_entry')
    .values(
      SHIPPED_CONTENT.map(({ kind, key, icon, link }, place) => ({
        kind,
        key,
        icon,
        link,
        sort: place + 1,
        published_ms: now,
        updated_ms: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute()
}
