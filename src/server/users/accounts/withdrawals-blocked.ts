import type { Db } from '#server/platform/database/tables.ts'

/**
 * Returns the reason that the user reads for staff's block of withdrawals. Returns null when withdrawals are allowed.
 */
export async function withdrawalBlockReason(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['withdrawals_allowed', 'withdrawals_reason'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row === undefined || row.withdrawals_allowed ? null : row.withdrawals_reason
}
