import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * Identifies stored content of a user: the settings of the chart (product ''), or the drawings on the chart of a
 * symbol.
 */
interface Place {
  readonly userId: string
  readonly product: string
}

interface Stored {
  readonly version: number
  readonly content: unknown
}

/** Returns the stored content. If there is none, the version is 0 and the content null. */
export async function findDesk(db: Db, { userId, product }: Place): Promise<Stored> {
  const row = await db
    .selectFrom('user_desk')
    .select(['version', 'content'])
    .where('user_id', '=', userId)
    .where('product', '=', product)
    .executeTakeFirst()
  return row ?? { version: 0, content: null }
}

/**
 * Stores content, if the stored version is still `version`. Returns the new version, or null when another version is
 * stored.
 */
export async function saveDesk(
  db: Db,
  { userId, product, version, content }: Place & Stored,
): Promise<{ readonly version: number } | null> {
  const text = JSON.stringify(content)
  const row =
    version === 0
      ? await db
          .insertInto('user_desk')
          .values({ user_id: userId, product, content: text })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await db
          .updateTable('user_desk')
          .set({ content: text, version: version + 1 })
          .where('user_id', '=', userId)
          .where('product', '=', product)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return row ?? null
}

/** Counts the drawings of all symbols but one. */
export async function countOtherDrawings(db: Db, { userId, product }: Place): Promise<number> {
  const { count } = await db
    .selectFrom('user_desk')
    .select(sql<number>`coalesce(sum(jsonb_array_length(content)), 0)::int4`.as('count'))
    .where('user_id', '=', userId)
    .where('product', 'not in', ['', product])
    .executeTakeFirstOrThrow()
  return count
}
