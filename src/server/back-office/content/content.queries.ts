import { sql } from 'kysely'
import { likeText } from '#server/back-office/api/like-text.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { COLUMNS, type ContentEntry, type ContentKind, readEntry } from '#server/site/content/content.queries.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An entry, with the time of its last edit. */
export type EditedEntry = ContentEntry & { readonly updatedAt: Instant }

export interface ContentFilters {
  readonly kind: ContentKind
  /** A part of the entry's key, or of its text in any language. */
  readonly search: string | null
  readonly isPublished: boolean | null
}

const NEWEST_FIRST: Keyset = {
  columns: [
    [sql`-published_ms`, 'int8'],
    ['key', 'text'],
  ],
  order: 'asc',
}
const BY_POSITION: Keyset = {
  columns: [
    ['sort', 'int4'],
    ['key', 'text'],
  ],
  order: 'asc',
}

/** Lists the entries of a kind: posts newest first, other kinds in the order in which they are shown. */
export async function listStaffContent(
  db: Db,
  { kind, search, isPublished }: ContentFilters,
  page: Page,
): Promise<EditedEntry[]> {
  const entries = db
    .selectFrom('content_entry')
    .select([...COLUMNS, 'updated_ms'])
    .where('kind', '=', kind)
    .$if(isPublished !== null, (all) => all.where('is_published', '=', isPublished === true))
    .$if(search !== null, (all) => all.where(containing(search ?? '')))
  const rows = await pageAfter(entries, kind === 'post' ? NEWEST_FIRST : BY_POSITION, page).execute()
  return rows.map((row) => ({ ...readEntry(kind, row), updatedAt: instant(row.updated_ms) }))
}

export function contentCursor({ kind, publishedAt, sort, key }: ContentEntry): Cursor {
  return [kind === 'post' ? -publishedAt : sort, key]
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
 * SQL condition for a case-insensitive search. PostgreSQL ignores the case of all letters only with a suitable
 * collation.
 */
function containing(search: string) {
  const [first = '', ...rest] = search.toLowerCase()
  const spellings = [search, search.toLowerCase(), search.toUpperCase(), first.toUpperCase() + rest.join('')]
  const patterns = spellings.map((text) => `%${likeText(text)}%`)
  return sql<boolean>`(key ilike any(${patterns}::text[]) or texts::text ilike any(${patterns}::text[]))`
}
