import { type Sealing, sealAgain, sealedAs, type Unsealed } from '#server/platform/encryption/resealing.ts'
import { userSecretPlace } from '#server/platform/encryption/sealed-details.ts'

/** Encrypts the authenticator secrets of users with the newest key. Returns the number of rows. */
export async function resealAuthenticators(ctx: Sealing, which: Unsealed): Promise<number> {
  const rows = await ctx.db
    .selectFrom('user_authenticator')
    .select(['user_id', 'secret'])
    .where('secret', 'not like', sealedAs(ctx, which))
    .execute()
  for (const { user_id: userId, secret: stored } of rows) {
    await ctx.db
      .updateTable('user_authenticator')
      .set({ secret: sealAgain(ctx, stored, userSecretPlace(userId)) })
      .where('user_id', '=', userId)
      .where('secret', '=', stored)
      .execute()
  }
  return rows.length
}
