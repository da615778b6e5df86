import { sql } from 'kysely'
import type { NoticeKind } from '#core/accounts/notices.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { QuietHours } from '#core/time/quiet-hours.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type Language, storedLanguage } from '#server/platform/i18n/messages.ts'

/** 100: the maximum number of deliveries that are claimed in one round and sent at the same time. */
const PUSHES_PER_ROUND = 100
/**
 * The pauses after the first to the fifth try of a message: 1 min, 2 min, 10 min, 1 h and 6 h. After the sixth try, the
 * message is given up. The pause starts with the try, so no other server claims the message while this server sends it.
 */
const PAUSES_MS = sql`array[60000, 120000, 600000, 3600000, 21600000]`

/** A notice that this server has claimed, and must send to a device now. */
export interface DuePush {
  readonly userId: string
  readonly noticeId: string
  readonly seq: number
  readonly kind: NoticeKind
  readonly data: unknown
  readonly at: Instant
  readonly isLastTry: boolean
  /** Whether the notice has waited for the end of the quiet hours. */
  readonly isHeld: boolean
  readonly device: MessageDevice
}

/** A device that gets a message: its encrypted address, the push key of its subscription and the user's language. */
export interface MessageAddress {
  readonly id: string
  readonly keyId: number
  readonly sealed: string
  readonly language: Language
}

/** A device that gets a message, with the user's settings for it: whether texts show amounts, and the quiet hours. */
export interface MessageDevice extends MessageAddress {
  readonly amounts: boolean
  readonly quiet: QuietHours | null
}

interface Row {
  readonly user_id: string
  readonly notice_id: string
  readonly seq: bigint
  readonly kind: NoticeKind
  readonly data: unknown
  readonly at_ms: bigint
  readonly is_last: boolean
  readonly is_held: boolean
  readonly device_id: string
  readonly key_id: number
  readonly sealed: string
  readonly amounts: boolean
  readonly zone: string
  readonly quiet_from: number | null
  readonly quiet_to: number | null
  readonly language: string
}

/**
 * Claims messages that are due, and returns the oldest notice first. No server claims the same messages again before
 * the pause after this try is over. Blocked users and devices of expired sessions get none. Only one server at a time
 * claims the messages of a device, so that it can send one message about all notices that waited.
 */
export async function claimPushes(db: Db, now: Instant): Promise<DuePush[]> {
  const { rows } = await sql<Row>`
    with device as materialized (
      select user_id, id from push_subscription where (user_id, id) in (
        select user_id, device_id from notice_delivery where channel = 'push' and next_ms <= ${now}
        order by next_ms, device_id limit ${PUSHES_PER_ROUND}
      ) for no key update skip locked
    ), claimed as (
      update notice_delivery d set tries = d.tries + 1, next_ms = ${now}::int8 + (${PAUSES_MS})[d.tries + 1]
      from (
        select notice_id, device_id from notice_delivery
        where channel = 'push' and next_ms <= ${now} and (user_id, device_id) in (select user_id, id from device)
        order by device_id, next_ms limit ${PUSHES_PER_ROUND} for update
      ) due
      where d.notice_id = due.notice_id and d.channel = 'push' and d.device_id = due.device_id
      returning d.user_id, d.notice_id, d.device_id, d.is_held, d.next_ms
    )
    select c.user_id, c.notice_id, n.seq, n.kind, n.data, n.at_ms, c.next_ms is null as is_last, c.is_held, c.device_id, p.key_id,
      p.sealed, p.amounts, p.zone, p.quiet_from, p.quiet_to, u.language
    from claimed c
    join notice n on n.user_id = c.user_id and n.id = c.notice_id
    join push_subscription p on p.user_id = c.user_id and p.id = c.device_id
    join session s on s.token_hash = p.session_hash and s.expires_ms > ${now}::int8
    join app_user u on u.id = c.user_id and not u.sign_in_blocked
    order by n.seq`.execute(db)
  return rows.map((row) => toDue(row))
}

function toDue(row: Row): DuePush {
  const { zone, quiet_from: from, quiet_to: to } = row
  return {
    userId: row.user_id,
    noticeId: row.notice_id,
    seq: Number(row.seq),
    kind: row.kind,
    data: row.data,
    at: instant(row.at_ms),
    isLastTry: row.is_last,
    isHeld: row.is_held,
    device: {
      id: row.device_id,
      keyId: row.key_id,
      sealed: row.sealed,
      amounts: row.amounts,
      quiet: from === null || to === null ? null : { from, to, zone },
      language: storedLanguage(row.language),
    },
  }
}

type Key = Pick<DuePush, 'noticeId'> & { readonly device: Pick<MessageDevice, 'id'> }

const isDelivery = ({ noticeId, device }: Key) =>
  sql<boolean>`notice_id = ${noticeId} and channel = 'push' and device_id = ${device.id}`

/** Deletes the delivery of a message that was sent, or that must not be sent any more. */
export async function endPush(db: Db, push: Key): Promise<void> {
  await db.deleteFrom('notice_delivery').where(isDelivery(push)).execute()
}

/** Lets a message wait for the end of the quiet hours, and takes back the try that its claim counted. */
export async function holdPush(db: Db, push: Key, until: Instant): Promise<void> {
  await db
    .updateTable('notice_delivery')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1), next_ms: until, is_held: true }))
    .where(isDelivery(push))
    .execute()
}

/** Moves the next try of a message to `until`, unless the next try is later anyway. */
export async function postponePush(db: Db, push: Key, until: Instant): Promise<void> {
  await sql`update notice_delivery set next_ms = greatest(next_ms, ${until}::int8)
    where ${isDelivery(push)} and next_ms is not null`.execute(db)
}

/** Gives up a message that is too old. The delivery stays in the database without a next try. */
export async function giveUpPush(db: Db, push: Key): Promise<void> {
  await db.updateTable('notice_delivery').set({ next_ms: null }).where(isDelivery(push)).execute()
}
