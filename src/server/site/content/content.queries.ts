import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export const CONTENT_KINDS = ['page', 'post', 'banner', 'question'] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

/** The operator's texts, by language. */
const Texts = z.record(z.string(), z.object({ title: z.string(), text: z.string() }))
export type ContentTexts = z.output<typeof Texts>

export interface ContentEntry {
  readonly kind: ContentKind
  /** The slug of a page or post, or the name of a banner or question. */
  readonly key: string
  readonly icon: string
  /** The link target. A page with a link is only a link: the site shows no content for it. */
  readonly link: string
  readonly sort: number
  readonly isPublished: boolean
  readonly publishedAt: Instant
  /** The operator's texts. Empty for a shipped entry whose texts the operator did not change. */
  readonly texts: ContentTexts
  /** Increases with every change, to detect outdated edits. */
  readonly version: number
}

export const COLUMNS = ['key', 'icon', 'link', 'sort', 'is_published', 'published_ms', 'texts', 'version'] as const

/** Lists the visible entries of a kind, in the operator's order. */
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

/** Lists the posts whose publication time has passed, newest first. */
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

/** Finds one visible entry. */
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

/** Lists every entry of a kind, including hidden ones. */
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

/** Returns an entry, or null, and locks its key until the transaction ends. */
export async function lockContent(tx: Tx, kind: ContentKind, key: string): Promise<ContentEntry | null> {
  // A row that does not exist yet cannot be locked. This advisory lock makes the second of two concurrent creations
  // wait.
  await lockName(tx, `content ${kind}/${key}`)
  const row = await tx
    .selectFrom('content_entry')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return row ? readEntry(kind, row) : null
}

/** Returns the position of a new entry: after all others of its kind. */
export async function nextPlace(tx: Tx, kind: ContentKind): Promise<number> {
  const { last } = await tx
    .selectFrom('content_entry')
    .select((from) => from.fn.max('sort').as('last'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Inserts or replaces an entry. */
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

/**
 * Whether a text can be a key: only lower-case letters, digits and hyphens between them, because a key is part of URLs.
 */
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
