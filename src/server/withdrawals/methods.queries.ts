import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import type { Db } from '#server/db/tables.ts'

const Details = z.record(z.string(), z.string())

/** What a user has saved, by method. */
export async function findDetails(db: Db, userId: string): Promise<ReadonlyMap<number, MethodDetails>> {
  const rows = await db
    .selectFrom('user_withdrawal_method')
    .select(['gateway_id', 'details'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map((row) => [row.gateway_id, Details.parse(row.details)]))
}

export async function saveDetails(
  db: Db,
  saved: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails; readonly at: Instant },
): Promise<void> {
  const values = { details: JSON.stringify(saved.details), updated_ms: saved.at }
  await db
    .insertInto('user_withdrawal_method')
    .values({ user_id: saved.userId, gateway_id: saved.methodId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'gateway_id']).doUpdateSet(values))
    .execute()
}
