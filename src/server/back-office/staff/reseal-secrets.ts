import { type Sealing, sealAgain, sealedAs, type Unsealed } from '#server/platform/encryption/resealing.ts'
import { staffSecretPlace } from '#server/platform/encryption/sealed-details.ts'

/** Encrypts the authenticator secrets of the staff with the newest key. Returns the number of rows. */
export async function resealStaffSecrets(ctx: Sealing, which: Unsealed): Promise<number> {
  // Only the tickets of invitations contain a secret. These tickets are deleted instead of encrypted again, so an owner
  // must send open invitations again.
  await ctx.db.deleteFrom('staff_ticket').where('totp_secret', 'not like', sealedAs(ctx, which)).execute()
  const rows = await ctx.db
    .selectFrom('staff')
    .select(['id', 'totp_secret'])
    .where('totp_secret', 'not like', sealedAs(ctx, which))
    .execute()
  for (const { id, totp_secret: stored } of rows) {
    if (stored === null) continue
    await ctx.db
      .updateTable('staff')
      .set({ totp_secret: sealAgain(ctx, stored, staffSecretPlace(id)) })
      .where('id', '=', id)
      .where('totp_secret', '=', stored)
      .execute()
  }
  return rows.length
}
