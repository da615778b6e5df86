import { sql } from 'kysely'
import { deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { VERIFY_ACCOUNT } from '#server/users/accounts/one-time-codes.queries.ts'

/**
 * Deletes the code, and marks the account and the address that received the code as verified. The first verification
 * ends the account's sessions. Returns false when the code was already used.
 */
export async function markVerified(
  tx: Tx,
  { userId, codeHash, sentTo, isFirst }: { userId: string; codeHash: string; sentTo: string; isFirst: boolean },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_code')
    .where('user_id', '=', userId)
    .where('kind', '=', VERIFY_ACCOUNT)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) return false
  await tx
    .updateTable('app_user')
    .set({
      verified: true,
      verification_reason: '',
      // Marks the address as verified only while the account still has it.
      proven_email: sql`case when email = ${sentTo} then lower(email) else proven_email end`,
      proven_mobile: sql`case when mobile_code || mobile = ${sentTo} then mobile_code || mobile else proven_mobile end`,
    })
    .where('id', '=', userId)
    .execute()
  if (isFirst) await deleteSessionsOf(tx, userId)
  return true
}
