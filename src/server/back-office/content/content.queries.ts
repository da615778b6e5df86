import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Cursor } from '#server/platform/database/cursor.ts'
import { COLUMNS, type ContentEntry, type ContentKind, readEntry } from '#server/site/content/content.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An entry as the back office shows it. */
export type EditedEntry = ContentEntry & { readonly updatedAt: Instant }

export interface ContentFilters {
  readonly kind: ContentKind
  /** A part of the key or of any text. */
  readonly search: string | null
  readonly isPublished: boolean | null
}

/** Lists the entries of a kind: posts newest first, others in their order. */
export async function listStaffContent(
  db: Db,
  { kind, search, isPublished }: ContentFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<EditedEntry[]> {
  const isNews = kind === 'post'
  const [first, key] = after ?? []
  const place = isNews
    ? sql<boolean>`(-published_ms, key) > (${-Number(first)}::int8, ${String(key)}::text)`
    : sql<boolean>`(sort, key) > (${Number(first)}::int4, ${String(key)}::text)`
  const rows = await db
    .selectFrom('content_entry')
    .select([...COLUMNS, 'updated_ms'])
    .where('kind', '=', kind)
    .$if(isPublished !== null, (all) => all.where('is_published', '=', isPublished === true))
    .$if(search !== null, (all) => all.where(containing(search ?? '')))
    .$if(after !== null, (all) => all.where(place))
    .orderBy(isNews ? 'published_ms' : 'sort', isNews ? 'desc' : 'asc')
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...readEntry(kind, row), updatedAt: instant(row.updated_ms) }))
}

export function contentCursor({ kind, publishedAt, sort, key }: ContentEntry): Cursor {
  return [kind === 'post' ? publishedAt : sort, key]
}

/** Finds an entry, visible or hidden. */
export async function findStaffContent(db: Db, kind: ContentKind, key: string): Promise<EditedEntry | null> {
  const row = await db
    .selectFrom('content_entry')
    .select([...COLUMNS, 'updated_ms'])
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  return row ? { ...readEntry(kind, row), updatedAt: instant(row.updated_ms) } : null
}

/**
 * SQL condition for a case-insensitive search. PostgreSQL knows the cases of all letters only with a suitable
 * collation.
 */
function containing(search: string) {
  const [first = '', ...rest] = search.toLowerCase()
  const spellings = [search, search.toLowerCase(), search.toUpperCase(), first.toUpperCase() + rest.join('')]
  const patterns = spellings.map((text) => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`)
  return sql<boolean>`(key ilike any(${patterns}::text[]) or texts::text ilike any(${patterns}::text[]))`
}
