import { instant, toIso, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const MAX_SHOWN_MESSAGES = 100

/** Messages in the outbox, newest first. */
export async function listOutbox(db: Db, to: string | undefined) {
  const rows = await db
    .selectFrom('outbox_message')
    .select(['sent_to', 'kind', 'code', 'text', 'sent_ms'])
    .$if(to !== undefined, (query) => query.where('sent_to', '=', to ?? ''))
    .orderBy('sent_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN_MESSAGES)
    .execute()
  return rows.map(({ sent_to, kind, code, text, sent_ms }) => ({
    to: sent_to,
    kind,
    code,
    text,
    sent_at: toIso(instant(sent_ms)),
  }))
}

export async function deleteOldMessages(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('outbox_message').where('sent_ms', '<=', BigInt(before)).execute()
}
