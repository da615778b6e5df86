import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** One attempt to log in to the back office, as recorded in the audit log. */
export interface StaffLogIn {
  readonly at: Instant
  readonly isDone: boolean
  readonly device: string
  readonly address: string
}

/**
 * Names of log-in attempts in the audit log. A failed attempt has the name of the call that failed: for the password or
 * for the code.
 */
const ATTEMPTS = ['sign-in', 'sign-in/code']
const text = (key: 'device' | 'isNewDevice' | 'session') => sql<string | null>`after ->> ${sql.lit(key)}`

/**
 * Lists the newest attempts to log in with a name, including failed attempts. `device` is empty when the entry contains
 * none.
 */
export async function listStaffLogIns(db: Db, name: string, limit: number): Promise<StaffLogIn[]> {
  const rows = await db
    .selectFrom('admin_action')
    .select(['at_ms', 'outcome', 'address', text('device').as('device')])
    .where(sql`lower(who)`, '=', name.toLowerCase())
    .where('what', 'in', ATTEMPTS)
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toLogIn)
}

/**
 * Returns the newest successful log-in of a staff member with a new device after `since`, or null. The log-in of the
 * session `exceptSession` does not count.
 */
export async function findNewDeviceLogIn(
  db: Db,
  {
    name,
    since,
    exceptSession,
  }: { readonly name: string; readonly since: Instant; readonly exceptSession: string | null },
): Promise<StaffLogIn | null> {
  const row = await db
    .selectFrom('admin_action')
    .select(['at_ms', 'outcome', 'address', text('device').as('device')])
    .where(sql`lower(who)`, '=', name.toLowerCase())
    .where('what', '=', 'sign-in')
    .where('outcome', '=', 'done')
    .where('at_ms', '>', BigInt(since))
    .where(text('isNewDevice'), '=', 'true')
    .where(text('session'), 'is distinct from', exceptSession)
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toLogIn(row)
}

function toLogIn(row: { at_ms: bigint; outcome: string; address: string; device: string | null }): StaffLogIn {
  return { at: instant(row.at_ms), isDone: row.outcome === 'done', device: row.device ?? '', address: row.address }
}
