import { sql } from 'kysely'
import type { Role } from '#core/staff/permissions.ts'
import type { Instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { readRole } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/** A staff member as the log-in needs it. */
export interface StaffAccount {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly passwordHash: string | null
  /** Encrypted. */
  readonly totpSecret: string | null
  readonly isBlocked: boolean
  readonly isDemo: boolean
  readonly version: number
}

export async function findStaffByName(db: Db | Tx, name: string): Promise<StaffAccount | null> {
  const row = await staffRows(db).where(sql`lower(name)`, '=', name.toLowerCase()).executeTakeFirst()
  return row ? toStaff(row) : null
}

export async function findStaff(db: Db | Tx, id: string): Promise<StaffAccount | null> {
  const row = await staffRows(db).where('id', '=', id).executeTakeFirst()
  return row ? toStaff(row) : null
}

/** Locks the row, so that concurrent edits run one after the other. */
export async function lockStaff(tx: Tx, id: string): Promise<StaffAccount | null> {
  const row = await staffRows(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toStaff(row) : null
}

export async function updateStaff(
  tx: Tx,
  id: string,
  { role, isBlocked, version }: { readonly role: Role; readonly isBlocked: boolean; readonly version: number },
): Promise<void> {
  await tx.updateTable('staff').set({ role, is_blocked: isBlocked, version }).where('id', '=', id).execute()
}

/** Deletes the credentials, so that a new invitation is needed. A demo account becomes an ordinary one. */
export async function forgetCredentials(tx: Tx, id: string, version: number): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ password_hash: null, totp_secret: null, is_demo: false, version })
    .where('id', '=', id)
    .execute()
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

/** Returns false when the name is taken. */
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
    /** Since when the staff member is an approver. Only for the staff of a demo. */
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
 * Consumes the time step of a code, so that the code does not work twice. At a first log-in, also stores the secret.
 */
export async function takeCodeStep(
  tx: Tx,
  staffId: string,
  { step, sealed }: { readonly step: number; readonly sealed: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ totp_last_step: step, totp_secret: sealed })
    .where('id', '=', staffId)
    .where('is_blocked', '=', false)
    .where((by) => by.or([by('totp_last_step', '<', BigInt(step)), by('is_demo', '=', true)]))
    .where((by) => by.or([by('totp_secret', 'is', null), by('totp_secret', '=', sealed)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function setStaffPassword(tx: Tx, staffId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('staff').set({ password_hash: passwordHash }).where('id', '=', staffId).execute()
}

function staffRows(db: Db | Tx) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'password_hash', 'totp_secret', 'is_blocked', 'is_demo', 'version'])
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
  }
}
