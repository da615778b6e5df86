import { paymentFilePlace } from '#server/payments/payment-files/payment-files.queries.ts'
import { type Sealing, sealAgain, sealedAs, type Unsealed } from '#server/platform/encryption/resealing.ts'

/** Encrypts the bytes of payment files with the newest key, one file at a time. Returns the number of files. */
export async function resealPaymentFiles(ctx: Sealing, which: Unsealed): Promise<number> {
  let done = 0
  for (;;) {
    const file = await ctx.db
      .selectFrom('payment_file')
      .select(['id', 'sealed'])
      .where('sealed', '<>', '')
      .where('sealed', 'not like', sealedAs(ctx, which))
      .limit(1)
      .executeTakeFirst()
    if (file === undefined) return done
    await ctx.db
      .updateTable('payment_file')
      .set({ sealed: sealAgain(ctx, file.sealed, paymentFilePlace(file.id)) })
      .where('id', '=', file.id)
      // A file that was erased since it was read stays erased.
      .where('sealed', '=', file.sealed)
      .execute()
    done += 1
  }
}
