import { sql } from 'kysely'
import { phoneSplits, type ResetAddress } from '#core/accounts/reset-address.ts'
import { deleteSessionsOf } from '#server/auth/auth.queries.ts'
import type { Instant } from '#core/time/instant.ts'
import { noteSecurityChange } from '#server/security/security-change.queries.ts'
import { dropTickets } from '#server/security/tickets.ts'
import type { Db, Tx } from '#server/db/tables.ts'

export const RESET_PASSWORD = 'reset_password'

/**
 * The account an address belongs to. Addresses need not be unique: a verified account goes before one that only claims
 * the address, the newest before older ones. One that may not sign in gets no new password: it counts as none.
 */
export async function findAccount(db: Db, address: ResetAddress): Promise<{ id: string; username: string } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'username'])
    .where('is_bot', '=', false)
    .where('sign_in_blocked', '=', false)
    .where((where) => {
      if (address.kind === 'email') return where(sql`lower(email)`, '=', address.email)
      return where.or(
        phoneSplits(address.digits).map(({ code, number }) => {
          const isNumber = where('mobile', '=', number)
          return code === null ? isNumber : where.and([isNumber, where('mobile_code', '=', code)])
        }),
      )
    })
    .orderBy('verified', 'desc')
    .orderBy('created_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Uses the code up, sets the password and ends every session; false when the code was used or replaced meanwhile. */
export async function replacePassword(
  tx: Tx,
  { userId, codeHash, passwordHash, at }: { userId: string; codeHash: string; passwordHash: string; at: Instant },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_code')
    .where('user_id', '=', userId)
    .where('kind', '=', RESET_PASSWORD)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) return false
  await tx.updateTable('app_user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await noteSecurityChange(tx, userId, at)
  await dropTickets(tx, userId)
  await deleteSessionsOf(tx, userId)
  return true
}
