import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import {
  destinationOf,
  openDetails,
  savedDetailsPlace,
  sealDetails,
  staffSecretPlace,
  userSecretPlace,
  withdrawalPlace,
} from '#server/platform/encryption/sealed-details.ts'

interface Sealing {
  readonly db: Db
  readonly vault: Vault
}

/** Rows from before encryption, or all rows that are not encrypted with the newest key. */
type Which = 'unsealed' | 'not-newest'

const AT_ONCE = 500
const NO_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts all remaining rows with the newest key, and returns the number of rows. It may be interrupted and repeated, also while a server
 * runs: a row is written only if it still equals what was read.
 */
export async function reseal(ctx: Sealing, which: Which): Promise<number> {
  // These tickets live for minutes: a staff member between two log-in steps has to start again.
  await ctx.db.deleteFrom('staff_ticket').where('totp_secret', 'not like', sealedAs(ctx, which)).execute()
  return (
    (await resealStaff(ctx, which)) +
    (await resealAuthenticators(ctx, which)) +
    (await resealSavedDetails(ctx, which)) +
    (await resealWithdrawals(ctx, which))
  )
}

function sealedAs({ vault }: Sealing, which: Which): string {
  return which === 'unsealed' ? 'sealed1.%' : `sealed1.${vault.keyName}.%`
}

async function resealStaff(ctx: Sealing, which: Which): Promise<number> {
  const rows = await ctx.db
    .selectFrom('staff')
    .select(['id', 'totp_secret'])
    .where('totp_secret', 'not like', sealedAs(ctx, which))
    .execute()
  for (const { id, totp_secret: stored } of rows) {
    if (stored === null) continue
    await ctx.db
      .updateTable('staff')
      .set({ totp_secret: again(ctx, stored, staffSecretPlace(id)) })
      .where('id', '=', id)
      .where('totp_secret', '=', stored)
      .execute()
  }
  return rows.length
}

async function resealAuthenticators(ctx: Sealing, which: Which): Promise<number> {
  const rows = await ctx.db
    .selectFrom('user_authenticator')
    .select(['user_id', 'secret'])
    .where('secret', 'not like', sealedAs(ctx, which))
    .execute()
  for (const { user_id: userId, secret: stored } of rows) {
    await ctx.db
      .updateTable('user_authenticator')
      .set({ secret: again(ctx, stored, userSecretPlace(userId)) })
      .where('user_id', '=', userId)
      .where('secret', '=', stored)
      .execute()
  }
  return rows.length
}

function again({ vault }: Sealing, stored: string, place: string): string {
  return vault.seal(stored.startsWith('sealed1.') ? vault.open(stored, place) : stored, place)
}

async function resealSavedDetails(ctx: Sealing, which: Which): Promise<number> {
  const rows = await ctx.db.selectFrom('user_withdrawal_method').selectAll().where(detailsToDo(ctx, which)).execute()
  for (const { user_id: userId, gateway_id: methodId, details, updated_ms: updatedMs } of rows) {
    const place = savedDetailsPlace(userId, methodId)
    await ctx.db
      .updateTable('user_withdrawal_method')
      .set({ details: sealDetails(ctx.vault, openDetails(ctx.vault, details, place), place) })
      .where('user_id', '=', userId)
      .where('gateway_id', '=', methodId)
      .where('updated_ms', '=', updatedMs)
      .where('details', '=', sql<string>`${JSON.stringify(details)}::jsonb`)
      .execute()
  }
  return rows.length
}

/** There may be many rows, so it works in pages. Payment details of a withdrawal never change. */
async function resealWithdrawals(ctx: Sealing, which: Which): Promise<number> {
  let done = 0
  let after = { userId: NO_ID, id: NO_ID }
  for (;;) {
    const rows = await ctx.db
      .selectFrom('withdrawal')
      .select(['user_id', 'id', 'gateway_id', 'details'])
      .where(detailsToDo(ctx, which))
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
          destination: destinationOf(ctx.vault, methodId, details),
        })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute()
    }
    done += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return done
    after = { userId: last.user_id, id: last.id }
  }
}

function detailsToDo(ctx: Sealing, which: Which) {
  const isPlain = sql<boolean>`jsonb_typeof(details) <> 'string'`
  return which === 'unsealed'
    ? isPlain
    : sql<boolean>`(${isPlain} or details #>> '{}' not like ${sealedAs(ctx, which)})`
}
