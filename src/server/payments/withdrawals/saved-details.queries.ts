import type { Instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { openDetails, savedDetailsPlace, sealDetails } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** Returns the saved details of a user, by method id. */
export async function findDetails(db: Db, vault: Vault, userId: string): Promise<ReadonlyMap<number, MethodDetails>> {
  const rows = await db
    .selectFrom('user_withdrawal_method')
    .select(['gateway_id', 'details'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(
    rows.map((row) => [row.gateway_id, openDetails(vault, row.details, savedDetailsPlace(userId, row.gateway_id))]),
  )
}

export async function upsertSavedDetails(
  db: Db,
  vault: Vault,
  saved: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails; readonly at: Instant },
): Promise<void> {
  const details = sealDetails(vault, saved.details, savedDetailsPlace(saved.userId, saved.methodId))
  const values = { details, updated_ms: saved.at }
  await db
    .insertInto('user_withdrawal_method')
    .values({ user_id: saved.userId, gateway_id: saved.methodId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'gateway_id']).doUpdateSet(values))
    .execute()
}
