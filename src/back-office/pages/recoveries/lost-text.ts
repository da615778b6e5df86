import type { Lost } from '#core/accounts/recovery.ts'
import { t } from '#back-office/i18n/t.ts'

/** Lists by name the means of access that a user lost. */
export function lostText(lost: readonly Lost[]): string {
  return lost.map((one) => t(`recoveries.lost_${one}`)).join(', ')
}
