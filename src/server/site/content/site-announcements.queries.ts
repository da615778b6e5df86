import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const Texts = z.record(z.string(), z.string())

/** A short message to all visitors, shown above the app for a limited time. */
export interface SiteAnnouncement {
  readonly id: string
  readonly tone: 'info' | 'warn'
  readonly link: string
  readonly from: Instant
  readonly until: Instant
  /** The texts by language. */
  readonly texts: Readonly<Record<string, string>>
  readonly version: number
}

export type AnnouncementState = 'now' | 'planned' | 'over'

export function stateAt({ from, until }: Pick<SiteAnnouncement, 'from' | 'until'>, now: Instant): AnnouncementState {
  return now >= until ? 'over' : now >= from ? 'now' : 'planned'
}

const COLUMNS = ['id', 'tone', 'link', 'from_ms', 'until_ms', 'texts', 'version'] as const

const NEWEST_FIRST: Keyset = {
  columns: [
    ['from_ms', 'int8'],
    ['id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists announcements, newest first. */
export async function listAnnouncements(
  db: Db,
  { state, now }: { readonly state: AnnouncementState | null; readonly now: Instant },
  page: Page,
): Promise<SiteAnnouncement[]> {
  const wanted = db
    .selectFrom('announcement')
    .select(COLUMNS)
    .$if(state !== null, (all) => all.where(isIn(state ?? 'now', now)))
  const rows = await pageAfter(wanted, NEWEST_FIRST, page).execute()
  return rows.map(read)
}

/** Lists announcements that have not ended, newest first. */
export async function listUpcoming(db: Db, now: Instant): Promise<SiteAnnouncement[]> {
  const rows = await db
    .selectFrom('announcement')
    .select(COLUMNS)
    .where('until_ms', '>', BigInt(now))
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(read)
}

export async function findAnnouncement(db: Db, id: string): Promise<SiteAnnouncement | null> {
  const row = await db.selectFrom('announcement').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ? read(row) : null
}

/** Returns an announcement, or null, and locks its id until the transaction ends. */
export async function lockAnnouncement(tx: Tx, id: string): Promise<SiteAnnouncement | null> {
  // A row that does not exist yet cannot be locked. Without this advisory lock, two concurrent creations would both
  // find no row.
  await lockName(tx, `announcement ${id}`)
  const row = await tx.selectFrom('announcement').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? read(row) : null
}

/** Inserts or replaces an announcement. */
export async function putAnnouncement(tx: Tx, announcement: SiteAnnouncement, now: Instant): Promise<void> {
  const { id, tone, link, from, until, texts, version } = announcement
  const rest = { tone, link, from_ms: from, until_ms: until, texts: JSON.stringify(texts), version, updated_ms: now }
  await tx
    .insertInto('announcement')
    .values({ id, ...rest })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute()
}

export async function deleteAnnouncement(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('announcement').where('id', '=', id).execute()
}

function isIn(state: AnnouncementState, now: Instant) {
  const at = BigInt(now)
  if (state === 'over') return sql<SqlBool>`until_ms <= ${at}`
  return state === 'planned' ? sql<SqlBool>`from_ms > ${at}` : sql<SqlBool>`from_ms <= ${at} and until_ms > ${at}`
}

interface Row {
  id: string
  tone: string
  link: string
  from_ms: bigint
  until_ms: bigint
  texts: unknown
  version: number
}

function read(row: Row): SiteAnnouncement {
  return {
    id: row.id,
    tone: row.tone === 'warn' ? 'warn' : 'info',
    link: row.link,
    from: instant(row.from_ms),
    until: instant(row.until_ms),
    texts: Texts.parse(row.texts),
    version: row.version,
  }
}
