import { resealChannels } from '#server/back-office/alerts/alert-channels.queries.ts'
import { resealStaffSecrets } from '#server/back-office/staff/reseal-secrets.ts'
import { resealPaymentFiles } from '#server/payments/payment-files/reseal-payment-files.ts'
import { resealDetails } from '#server/payments/withdrawals/reseal-details.ts'
import type { Sealing, Unsealed } from '#server/platform/encryption/resealing.ts'
import { deleteAllExports } from '#server/site/own-data/export.queries.ts'
import { resealPush } from '#server/users/push/reseal-push.ts'
import { resealAuthenticators } from '#server/users/security/reseal-authenticators.ts'

/**
 * Encrypts all stored texts that the newest key has not encrypted. Returns the number of rows. It can be interrupted,
 * run again, and run while a server works: a row is written only if it has not changed since it was read.
 */
export async function rotateEncryptionKey(sealing: Sealing, which: Unsealed): Promise<number> {
  // Copies of users' data are not encrypted again, so they are deleted. Users can request new copies.
  if (which === 'not-newest') await deleteAllExports(sealing.db)
  return (
    (await resealStaffSecrets(sealing, which)) +
    (await resealChannels(sealing, which)) +
    (await resealAuthenticators(sealing, which)) +
    (await resealPush(sealing, which)) +
    (await resealDetails(sealing, which)) +
    (await resealPaymentFiles(sealing, which))
  )
}
