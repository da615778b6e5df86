import { sql } from 'kysely'
import type { Role } from '#core/staff/permissions.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { readRole } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** The data of a staff member that the log-in and the management of staff need. */
export interface StaffAccount {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly passwordHash: string | null
  /** The encrypted secret of the authenticator app. */
  readonly totpSecret: string | null
  readonly isBlocked: boolean
  readonly isDemo: boolean
  readonly version: number
  readonly mail: string
  /** Since when the staff member is an approver, or null. */
  readonly approverAt: Instant | null
}

export async function findStaffByName(db: Db | Tx, name: string): Promise<StaffAccount | null> {
  const row = await staffRows(db).where(sql`lower(name)`, '=', name.toLowerCase()).executeTakeFirst()
  return row ? toStaff(row) : null
}

export async function findStaff(db: Db | Tx, id: string): Promise<StaffAccount | null> {
  const row = await staffRows(db).where('id', '=', id).executeTakeFirst()
  return row ? toStaff(row) : null
}

/** The data of an invited person that the mail with the link needs. */
export interface Invited {
  readonly id: string
  readonly isBlocked: boolean
  readonly hasJoined: boolean
  /** When lost credentials were last replaced by a new invitation. */
  readonly reinvitedAt: Instant | null
  /** Until when the newest link works or worked. */
  readonly linkUntil: Instant | null
}

export async function findInvited(db: Db, name: string): Promise<Invited | null> {
  const row = await db
    .selectFrom('staff as s')
    .select(['s.id', 's.is_blocked', 's.password_hash', 's.reinvited_ms'])
    .select((of) =>
      of
        .selectFrom('staff_ticket as t')
        .whereRef('t.staff_id', '=', 's.id')
        .where('t.kind', '=', 'invitation')
        .select((ticket) => ticket.fn.max('t.expires_ms').as('until'))
        .as('link_until_ms'),
    )
    .where(sql`lower(s.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    isBlocked: row.is_blocked,
    hasJoined: row.password_hash !== null,
    reinvitedAt: row.reinvited_ms === null ? null : instant(row.reinvited_ms),
    linkUntil: row.link_until_ms === null ? null : instant(row.link_until_ms),
  }
}

/** Reads a staff member and locks the row, so that concurrent edits run one after the other. */
export async function lockStaff(tx: Tx, id: string): Promise<StaffAccount | null> {
  const row = await staffRows(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toStaff(row) : null
}

/**
 * Locks all owners until the transaction ends, so that they change the accounts of staff one after the other. Returns
 * the ids of the owners who are not blocked.
 */
export async function lockOwners(tx: Tx): Promise<ReadonlySet<string>> {
  await tx.selectFrom('staff').select('id').where('role', '=', 'owner').orderBy('id').forUpdate().execute()
  // A new statement also sees an owner who was promoted while the lock was awaited.
  const owners = await tx
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('is_blocked', '=', false)
    .execute()
  return new Set(owners.map(({ id }) => id))
}

/** Stores a role and a block. Afterwards the staff member is no longer an approver. */
export async function updateStaff(
  tx: Tx,
  id: string,
  { role, isBlocked, version }: { readonly role: Role; readonly isBlocked: boolean; readonly version: number },
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ role, is_blocked: isBlocked, version, approver_ms: null, approver_by: [] })
    .where('id', '=', id)
    .execute()
}

/** Deletes the credentials, so that a new invitation is needed. The staff member is no longer an approver. */
export async function forgetCredentials(
  tx: Tx,
  id: string,
  invited: { readonly version: number; readonly by: string; readonly at: Instant; readonly mail: string },
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({
      password_hash: null,
      totp_secret: null,
      is_demo: false,
      version: invited.version,
      reinvited_by: invited.by,
      reinvited_ms: invited.at,
      mail: invited.mail,
      approver_ms: null,
      approver_by: [],
    })
    .where('id', '=', id)
    .execute()
}

/** Makes a staff member an approver. `by` has the ids of the staff members who admitted the approver. */
export async function admitApprover(
  tx: Tx,
  id: string,
  { by, at, version }: { readonly by: readonly string[]; readonly at: Instant; readonly version: number },
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ approver_ms: at, approver_by: [...by], version })
    .where('id', '=', id)
    .execute()
}

/** Whether an owner can log in. */
export async function hasActiveOwner(db: Db | Tx): Promise<boolean> {
  const row = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('is_blocked', '=', false)
    .where('password_hash', 'is not', null)
    .where('totp_secret', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the owner of an invitation is one too many: the command line alone invited them, and another owner can log in.
 * An advisory lock lets such owners join one after the other, so that the second of two finds the first.
 */
export async function isOwnerTooMany(tx: Tx, staffId: string): Promise<boolean> {
  const alone = await tx
    .selectFrom('staff')
    .select('id')
    .where('id', '=', staffId)
    .where('role', '=', 'owner')
    .where('invited_by', 'is', null)
    .where('reinvited_by', 'is', null)
    .executeTakeFirst()
  if (alone === undefined) return false
  await lockName(tx, 'first owner')
  return await hasActiveOwner(tx)
}

/** Lists the addresses of owners and approvers, who get a mail about every waiting change. */
export async function listDeciderMails(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('staff')
    .select('mail')
    .where('is_blocked', '=', false)
    .where('mail', '<>', '')
    .where((by) => by.or([by('role', '=', 'owner'), by('approver_ms', 'is not', null)]))
    .orderBy('mail')
    .execute()
  return [...new Set(rows.map(({ mail }) => mail))]
}

const BY_NAME: Keyset = { columns: [[sql`lower(s.name)`, 'text']], order: 'asc' }

/** Lists staff members by name. */
export async function listStaff(db: Db, page: Page) {
  const members = db
    .selectFrom('staff as s')
    .selectAll('s')
    .select((of) => [
      of
        .selectFrom('staff_session as o')
        .whereRef('o.staff_id', '=', 's.id')
        .select((session) => session.fn.countAll<bigint>().as('count'))
        .as('sessions'),
      of
        .selectFrom('staff_session as o')
        .whereRef('o.staff_id', '=', 's.id')
        .select((session) => session.fn.max('o.seen_ms').as('seen'))
        .as('seen_ms'),
    ])
  return await pageAfter(members, BY_NAME, page).execute()
}

export async function countStaff(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('staff')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Inserts a staff member. Returns false when the name is taken, in upper or lower case. */
export async function insertStaff(
  db: Db | Tx,
  staff: {
    readonly id: string
    readonly name: string
    readonly role: Role
    readonly passwordHash?: string
    readonly totpSecret?: string
    readonly isDemo?: boolean
    readonly mail?: string
    readonly invitedBy?: string | undefined
    /** Since when the staff member is an approver. Given only for the staff of a demo, who also join at this time. */
    readonly approverAt?: Instant
    readonly createdAt: Instant
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('staff')
    .values({
      id: staff.id,
      name: staff.name,
      role: staff.role,
      password_hash: staff.passwordHash ?? null,
      totp_secret: staff.totpSecret ?? null,
      is_demo: staff.isDemo ?? false,
      created_ms: staff.createdAt,
      mail: staff.mail ?? '',
      ...(staff.invitedBy !== undefined && { invited_by: staff.invitedBy }),
      ...(staff.approverAt !== undefined && { approver_ms: staff.approverAt, enrolled_ms: staff.approverAt }),
    })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Stores the time step of a code, so that the code does not work twice. Returns false when the code was used before or
 * the staff member is blocked. In a demo, codes work again.
 */
export async function takeCodeStep(tx: Tx, staffId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ totp_last_step: step })
    .where('id', '=', staffId)
    .where('is_blocked', '=', false)
    .where((by) => by.or([by('totp_last_step', '<', BigInt(step)), by('is_demo', '=', true)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the password and the authenticator of a staff member who joins. */
export async function setCredentials(
  tx: Tx,
  staffId: string,
  own: { readonly passwordHash: string; readonly totpSecret: string; readonly step: number; readonly at: Instant },
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({
      password_hash: own.passwordHash,
      totp_secret: own.totpSecret,
      totp_last_step: own.step,
      enrolled_ms: own.at,
    })
    .where('id', '=', staffId)
    .execute()
}

function staffRows(db: Db | Tx) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'password_hash', 'totp_secret', 'is_blocked', 'is_demo', 'version'])
    .select(['mail', 'approver_ms'])
}

function toStaff(row: Awaited<ReturnType<ReturnType<typeof staffRows>['execute']>>[number]): StaffAccount {
  return {
    id: row.id,
    name: row.name,
    role: readRole(row.role),
    passwordHash: row.password_hash,
    totpSecret: row.totp_secret,
    isBlocked: row.is_blocked,
    isDemo: row.is_demo,
    version: row.version,
    mail: row.mail,
    approverAt: row.approver_ms === null ? null : instant(row.approver_ms),
  }
}
