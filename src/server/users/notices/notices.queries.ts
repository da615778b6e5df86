import { sql } from 'kysely'
import type { ChosenTopic, NoticeKind } from '#core/accounts/notices.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A notice to one user. */
export interface Notice {
  readonly userId: string
  readonly id: string
  readonly seq: number
  readonly kind: NoticeKind
  /** The facts that the text of the notice needs, as the database stored them: `factsOf` parses them. */
  readonly data: unknown
  readonly at: Instant
  readonly isRead: boolean
}

const NEWEST_FIRST: Keyset = { columns: [['seq', 'int8']], order: 'desc' }

/** Lists the notices of a user, newest first. With `id`, returns only the notice with this id. */
export async function listNotices(
  db: Db,
  { userId, id }: { readonly userId: string; readonly id?: string | undefined },
  page: Page,
): Promise<Notice[]> {
  const own = db.selectFrom('notice').selectAll().where('user_id', '=', userId)
  const all = id === undefined ? own : own.where('id', '=', id)
  return (await pageAfter(all, NEWEST_FIRST, page).execute()).map((row) => toNotice(row))
}

/**
 * Marks notices of a user as read: the notices with these ids, or all up to the sequence number `until`. Notices that
 * are already read keep their time.
 */
export async function markRead(
  db: Db,
  userId: string,
  { which, at }: { readonly which: readonly string[] | { readonly until: number }; readonly at: Instant },
): Promise<void> {
  await db
    .updateTable('notice')
    .set({ read_ms: at })
    .where('user_id', '=', userId)
    .where('read_ms', 'is', null)
    .where((by) => ('until' in which ? by('seq', '<=', BigInt(which.until)) : by('id', 'in', which)))
    .execute()
}

/** Whether a user wants the notices of a topic by mail and in the inbox. */
export interface MailChoice {
  readonly mail: boolean
  readonly inbox: boolean
}

/** Returns the user's choices of mail and inbox, by topic. Topics that the user has not chosen for are missing. */
export async function findMailChoices(db: Db, userId: string): Promise<ReadonlyMap<ChosenTopic, MailChoice>> {
  const rows = await db.selectFrom('notice_mail').selectAll().where('user_id', '=', userId).execute()
  return new Map(rows.map(({ topic, is_on, in_inbox }) => [topic, { mail: is_on, inbox: in_inbox }]))
}

export async function saveMailChoice(
  db: Db,
  { userId, topic, mail, inbox }: MailChoice & { readonly userId: string; readonly topic: ChosenTopic },
): Promise<void> {
  await db
    .insertInto('notice_mail')
    .values({ user_id: userId, topic, is_on: mail, in_inbox: inbox })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ is_on: mail, in_inbox: inbox }))
    .execute()
}

/** 500: the maximum number of notices in one round. Further notices follow in the next round, one second later. */
const PAGES_PER_ROUND = 500

/**
 * Removes notices that are due for open pages, and returns the users to whose pages the caller must announce them.
 * Servers that call this at the same time get different notices.
 */
export async function takeForPages(db: Db): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from notice_delivery where channel = 'page' and notice_id in (
      select notice_id from notice_delivery where channel = 'page' and next_ms is not null
      limit ${PAGES_PER_ROUND} for update skip locked)
    returning user_id`.execute(db)
  return [...new Set(rows.map(({ user_id }) => user_id))]
}

/**
 * 10: the mails of a round are sent at the same time, so all end before their claim of 60 s ends: the timeouts of the
 * mail server are shorter.
 */
const MAILS_PER_ROUND = 10
/**
 * The pauses after the first to the sixth try of a mail: 1 min, 2 min, 10 min, 1 h, 6 h and 24 h. After the seventh
 * try, the mail is given up. The pause starts with the try, so no other server claims the mail while this server sends
 * it.
 */
const PAUSES_MS = sql`array[60000, 120000, 600000, 3600000, 21600000, 86400000]`

/** A notice that this server has claimed, and must mail now. */
export interface DueMail extends Notice {
  /** The contacts that have the notice: 0 is the main contact, 1 the first of the further contacts. */
  readonly reachedContacts: readonly number[]
  readonly isLastTry: boolean
}

/** Claims mails that are due. No server claims the same mails again before the pause after this try is over. */
export async function claimMails(db: Db, now: Instant): Promise<DueMail[]> {
  const { rows } = await sql<NoticeRow & { contact_nos: number[]; is_last: boolean }>`
    with claimed as (
      update notice_delivery d set tries = d.tries + 1, next_ms = ${now}::int8 + (${PAUSES_MS})[d.tries + 1]
      from (
        select notice_id from notice_delivery where channel = 'mail' and next_ms <= ${now}
        order by next_ms limit ${MAILS_PER_ROUND} for update skip locked
      ) due
      where d.notice_id = due.notice_id and d.channel = 'mail'
      returning d.user_id, d.notice_id, d.contact_nos, d.next_ms
    )
    select n.*, c.contact_nos, c.next_ms is null as is_last
    from claimed c join notice n on n.user_id = c.user_id and n.id = c.notice_id`.execute(db)
  return rows.map((row) => ({ ...toNotice(row), reachedContacts: row.contact_nos, isLastTry: row.is_last }))
}

/** Stores that a mail has reached some of its contacts. */
export async function noteTold(db: Db, noticeId: string, contacts: readonly number[]): Promise<void> {
  await sql`update notice_delivery set contact_nos = contact_nos || ${[...contacts]}::int4[]
    where notice_id = ${noticeId} and channel = 'mail'`.execute(db)
}

/** Deletes the delivery of a mail that has reached all its contacts, or whose user has no address for it. */
export async function endMail(db: Db, noticeId: string): Promise<void> {
  await db.deleteFrom('notice_delivery').where('notice_id', '=', noticeId).where('channel', '=', 'mail').execute()
}

/**
 * Writes the notices that are due because time has passed: late withdrawals, breaks whose time is over, unseen results.
 */
export async function tellDue(db: Db, now: Instant): Promise<void> {
  await sql`select tell_late_withdrawals(${now}), tell_over_breaks(), tell_missed_results(${now})`.execute(db)
}

/**
 * Writes a notice to up to `portion` users that the terms for selling orders back have changed. Returns the number of
 * these users.
 */
export async function tellSaleTerms(db: Db, portion: number): Promise<number> {
  const { rows } = await sql<{ told: number }>`select tell_sale_terms(${portion}) as told`.execute(db)
  return rows[0]?.told ?? 0
}

/**
 * Writes the notices that ask users once or twice a year to look at their figures and limits. Also writes the notices
 * about API keys that end soon.
 */
export async function tellReviews(db: Db, now: Instant): Promise<void> {
  await sql`select tell_reviews(), tell_ending_keys(${now}::int8)`.execute(db)
}

export async function dropOldNotices(db: Db): Promise<void> {
  await sql`select drop_old_notices()`.execute(db)
}

interface NoticeRow {
  readonly user_id: string
  readonly id: string
  readonly seq: bigint
  readonly kind: NoticeKind
  readonly data: unknown
  readonly at_ms: bigint
  readonly read_ms: bigint | null
}

function toNotice(row: NoticeRow): Notice {
  const { user_id: userId, id, kind, data } = row
  return { userId, id, kind, data, seq: Number(row.seq), at: instant(row.at_ms), isRead: row.read_ms !== null }
}
