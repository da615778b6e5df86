import { instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

const CODES: Keyset = {
  columns: [
    ['sent_ms', 'int8'],
    ['id', 'uuid'],
  ],
  order: 'desc',
}
const NOTES: Keyset = {
  columns: [
    ['n.written_ms', 'int8'],
    ['n.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists sent codes, newest first. */
export async function listCodesSent(db: Db, userId: string, page: Page) {
  const codes = db.selectFrom('code_sent').select(['id', 'kind', 'sent_to', 'sent_ms']).where('user_id', '=', userId)
  const rows = await pageAfter(codes, CODES, page).execute()
  return rows.map(({ sent_ms: at, sent_to: sentTo, ...row }) => ({ ...row, sentTo, at: instant(at) }))
}

/** Lists notes with their authors, newest first. */
export async function listNotes(db: Db, userId: string, page: Page) {
  const notes = db
    .selectFrom('user_note as n')
    .innerJoin('staff as s', 's.id', 'n.staff_id')
    .select(['n.id', 'n.text', 'n.written_ms', 's.name'])
    .where('n.user_id', '=', userId)
  const rows = await pageAfter(notes, NOTES, page).execute()
  return rows.map(({ written_ms: at, ...row }) => ({ ...row, at: instant(at) }))
}
