import { sql } from 'kysely'
import { type Sealing, sealedAs, type Unsealed } from '#server/platform/encryption/resealing.ts'
import {
  OLD_DESTINATION_BYTES,
  openDetails,
  payeeOf,
  savedDetailsPlace,
  sealDetails,
  withdrawalPlace,
} from '#server/platform/encryption/sealed-details.ts'

const AT_ONCE = 500
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Encrypts the payment details of users with the newest key. Returns the number of rows. */
export async function resealDetails(ctx: Sealing, which: Unsealed): Promise<number> {
  return (await resealSavedDetails(ctx, which)) + (await resealWithdrawals(ctx, which))
}

async function resealSavedDetails(ctx: Sealing, which: Unsealed): Promise<number> {
  const rows = await ctx.db.selectFrom('user_withdrawal_method').selectAll().where(detailsToDo(ctx, which)).execute()
  for (const { user_id: userId, gateway_id: methodId, details, updated_ms: updatedMs } of rows) {
    const place = savedDetailsPlace(userId, methodId)
    await ctx.db
      .updateTable('user_withdrawal_method')
      .set({ details: sealDetails(ctx.vault, openDetails(ctx.vault, details, place), place) })
      .where('user_id', '=', userId)
      .where('gateway_id', '=', methodId)
      .where('updated_ms', '=', updatedMs)
      .where('details', '=', asRead(details))
      .execute()
  }
  return rows.length
}

/**
 * Reads 500 withdrawals at a time, because there may be many. A withdrawal whose payment details were erased since they
 * were read stays erased.
 */
async function resealWithdrawals(ctx: Sealing, which: Unsealed): Promise<number> {
  let done = 0
  let after = { userId: NO_ID, id: NO_ID }
  for (;;) {
    const rows = await ctx.db
      .selectFrom('withdrawal')
      .select(['user_id', 'id', 'gateway_id', 'details'])
      .where((by) => by.or([detailsToDo(ctx, which), hasOldDestination]))
      .where(sql<boolean>`(user_id, id) > (${after.userId}::uuid, ${after.id}::uuid)`)
      .orderBy('user_id')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    for (const { user_id: userId, id, gateway_id: methodId, details: stored } of rows) {
      const place = withdrawalPlace(userId, id)
      const details = openDetails(ctx.vault, stored, place)
      await ctx.db
        .updateTable('withdrawal')
        .set({
          details: sealDetails(ctx.vault, details, place),
          destination: payeeOf(ctx.vault, methodId, details),
        })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('details', '=', asRead(stored))
        .execute()
    }
    done += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return done
    after = { userId: last.user_id, id: last.id }
  }
}

/** Whether an earlier version computed the destination. Erased withdrawals have no destination. */
const hasOldDestination = sql<boolean>`(details <> '{}' and octet_length(destination) = ${sql.lit(OLD_DESTINATION_BYTES)})`

/** The condition value for details that have not changed since they were read. */
function asRead(details: unknown) {
  return sql<string>`${JSON.stringify(details)}::jsonb`
}

function detailsToDo(ctx: Sealing, which: Unsealed) {
  const isPlain = sql<boolean>`jsonb_typeof(details) <> 'string'`
  // Erased details are an empty object, which contains nothing to encrypt.
  const hasAny = sql<boolean>`details <> '{}'`
  return which === 'unsealed'
    ? sql<boolean>`(${hasAny} and ${isPlain})`
    : sql<boolean>`(${hasAny} and (${isPlain} or details #>> '{}' not like ${sealedAs(ctx, which)}))`
}
