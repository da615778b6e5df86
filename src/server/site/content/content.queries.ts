import { sql } from 'kysely'
import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export const CONTENT_KINDS = ['page', 'post', 'banner', 'question'] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

/** What an operator wrote, by language. */
const Texts = z.record(z.string(), z.object({ title: z.string(), text: z.string() }))
export type ContentTexts = z.output<typeof Texts>

export interface ContentEntry {
  readonly kind: ContentKind
  /** The slug of a page or post, the name of a banner or question. */
  readonly key: string
  readonly icon: string
  /** Where it leads; a page with a link is no page of ours. */
  readonly link: string
  readonly sort: number
  readonly isPublished: boolean
  readonly publishedAt: Instant
  /** Empty for what we ship and nobody has rewritten. */
  readonly texts: ContentTexts
  /** Goes up with every change, so that an edit knows what it started from. */
  readonly version: number
}

export const COLUMNS = ['key', 'icon', 'link', 'sort', 'is_published', 'published_ms', 'texts', 'version'] as const

/** What visitors may see of a kind, in the operator's order. */
export async function listContent(db: Db, kind: ContentKind): Promise<ContentEntry[]> {
  const rows = await db
    .selectFrom('content_entry')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('is_published', '=', true)
    .orderBy('sort')
    .orderBy('key')
    .execute()
  return rows.map((row) => readEntry(kind, row))
}

/** Posts whose time has come, newest first. */
export async function listPosts(
  db: Db,
  { limit, offset, now }: { readonly limit: number; readonly offset: number; readonly now: Instant },
): Promise<{ posts: ContentEntry[]; total: number }> {
  const published = db
    .selectFrom('content_entry')
    .where('kind', '=', 'post')
    .where('is_published', '=', true)
    .where('published_ms', '<=', BigInt(now))
  const rows = await published
    .select(COLUMNS)
    .orderBy('published_ms', 'desc')
    .orderBy('sort')
    .orderBy('key')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await published.select((from) => from.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  return { posts: rows.map((row) => readEntry('post', row)), total: Number(total) }
}

/** One entry that visitors may see. */
export async function findContent(
  db: Db,
  { kind, key, now }: { readonly kind: ContentKind; readonly key: string; readonly now: Instant },
): Promise<ContentEntry | null> {
  if (!isContentKey(key)) return null
  const row = await db
    .selectFrom('content_entry')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('is_published', '=', true)
    .where('published_ms', '<=', BigInt(now))
    .executeTakeFirst()
  return row ? readEntry(kind, row) : null
}

/** Every entry of a kind, hidden ones too. */
export async function listAllContent(db: Db, kind: ContentKind): Promise<ContentEntry[]> {
  const rows = await db
    .selectFrom('content_entry')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .orderBy('sort')
    .orderBy('key')
    .execute()
  return rows.map((row) => readEntry(kind, row))
}

/** An entry, or the place of one, kept from others until the transaction ends. */
export async function lockContent(tx: Tx, kind: ContentKind, key: string): Promise<ContentEntry | null> {
  // A row that is not there yet cannot be locked: of two who add it, one waits here.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`content ${kind}/${key}`}, 0))`.execute(tx)
  const row = await tx
    .selectFrom('content_entry')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return row ? readEntry(kind, row) : null
}

/** Where a new entry goes: after all others of its kind. */
export async function nextPlace(tx: Tx, kind: ContentKind): Promise<number> {
  const { last } = await tx
    .selectFrom('content_entry')
    .select((from) => from.fn.max('sort').as('last'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Adds an entry or puts it in the place of the one that is there. */
export async function putContent(tx: Tx, entry: ContentEntry, now: Instant): Promise<void> {
  const rest = {
    icon: entry.icon,
    link: entry.link,
    sort: entry.sort,
    is_published: entry.isPublished,
    published_ms: entry.publishedAt,
    texts: JSON.stringify(entry.texts),
    version: entry.version,
    updated_ms: now,
  }
  await tx
    .insertInto('content_entry')
    .values({ kind: entry.kind, key: entry.key, ...rest })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(rest))
    .execute()
}

export async function deleteContent(tx: Tx, kind: ContentKind, key: string): Promise<void> {
  await tx.deleteFrom('content_entry').where('kind', '=', kind).where('key', '=', key).execute()
}

/** Small letters, digits and hyphens: a key stands in addresses. */
export function isContentKey(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

interface Row {
  key: string
  icon: string
  link: string
  sort: number
  is_published: boolean
  published_ms: bigint
  texts: unknown
  version: number
}

export function readEntry(kind: ContentKind, row: Row): ContentEntry {
  return {
    kind,
    key: row.key,
    icon: row.icon,
    link: row.link,
    sort: row.sort,
    isPublished: row.is_published,
    publishedAt: instant(row.published_ms),
    texts: Texts.parse(row.texts),
    version: row.version,
  }
}
