import { sql } from 'kysely'
import type { Cursor } from '#server/platform/database/cursor.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { beforeCursor } from '#server/platform/database/keyset-pagination.ts'

interface Page {
  readonly after: Cursor | null
  readonly limit: number
}

/** Lists sent codes, newest first. */
export async function listCodesSent(db: Db, userId: string, { after, limit }: Page) {
  const rows = await db
    .selectFrom('code_sent')
    .select(['id', 'kind', 'sent_to', 'sent_ms'])
    .where('user_id', '=', userId)
    .$if(after !== null, (all) => all.where(beforeCursor(after, sql`sent_ms`, sql`id`)))
    .orderBy('sent_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ sent_ms: at, sent_to: sentTo, ...row }) => ({ ...row, sentTo, at: instant(at) }))
}

/** Lists notes with their authors, newest first. */
export async function listNotes(db: Db, userId: string, { after, limit }: Page) {
  const rows = await db
    .selectFrom('user_note as n')
    .innerJoin('staff as s', 's.id', 'n.staff_id')
    .select(['n.id', 'n.text', 'n.written_ms', 's.name'])
    .where('n.user_id', '=', userId)
    .$if(after !== null, (all) => all.where(beforeCursor(after, sql`n.written_ms`, sql`n.id`)))
    .orderBy('n.written_ms', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ written_ms: at, ...row }) => ({ ...row, at: instant(at) }))
}
