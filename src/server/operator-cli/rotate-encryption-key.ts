import { resealStaffSecrets } from '#server/back-office/staff/reseal-secrets.ts'
import { resealDetails } from '#server/payments/withdrawals/reseal-details.ts'
import type { Sealing, Unsealed } from '#server/platform/encryption/resealing.ts'
import { resealAuthenticators } from '#server/users/security/reseal-authenticators.ts'

/**
 * Seals with the newest key what is not; answers how many rows. It may stop anywhere and be run again, beside a server
 * that works: a row is only written if it still is what was read.
 */
export async function rotateEncryptionKey(sealing: Sealing, which: Unsealed): Promise<number> {
  return (
    (await resealStaffSecrets(sealing, which)) +
    (await resealAuthenticators(sealing, which)) +
    (await resealDetails(sealing, which))
  )
}
