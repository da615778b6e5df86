import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A mail counts as failing after 3 tries, so that a mail server that is busy for a minute raises no alert. */
const MIN_TRIES = 3

/** Counts mails to users that failed at least 3 times and are tried again. */
export async function countFailingMails(db: Db): Promise<number> {
  const { mails } = await db
    .selectFrom('notice_delivery')
    .select((of) => of.fn.countAll<bigint>().as('mails'))
    .where('channel', '=', 'mail')
    .where('tries', '>=', MIN_TRIES)
    .where('next_ms', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(mails)
}

/** Lists the log-ins of staff members with a new device since an instant: the first 50. */
export async function listNewDevices(db: Db, since: Instant): Promise<{ id: string; staff: string }[]> {
  const rows = await db
    .selectFrom('admin_action')
    .select(['id', 'who'])
    .where('what', '=', 'sign-in')
    .where('outcome', '=', 'done')
    .where('at_ms', '>=', BigInt(since))
    .where(sql`after ->> 'isNewDevice'`, '=', 'true')
    .orderBy('at_ms')
    .limit(50)
    .execute()
  return rows.map(({ id, who }) => ({ id, staff: who }))
}

/** Lists the changes that wait for a second approver or for the time when they apply: the oldest 50. */
export async function listWaitingChanges(db: Db): Promise<{ id: string; kind: string }[]> {
  return await db
    .selectFrom('pending_change')
    .select(['id', 'kind'])
    .where('state', 'in', ['asked', 'waiting'])
    .orderBy('asked_ms')
    .limit(50)
    .execute()
}
