import type { Migration } from 'kysely'
import { baseline } from '#server/platform/database/migrations/0001-baseline.ts'
import { voidResult } from '#server/platform/database/migrations/0002-void-result.ts'
import { transferKinds } from '#server/platform/database/migrations/0003-transfer-kinds.ts'
import { register } from '#server/platform/database/migrations/0004-register.ts'
import { tickLogText2 } from '#server/platform/database/migrations/0005-tick-log-text-2.ts'
import { tradeTerms } from '#server/platform/database/migrations/0006-trade-terms.ts'
import { sources } from '#server/platform/database/migrations/0007-sources.ts'
import { ruleTwo } from '#server/platform/database/migrations/0008-rule-two.ts'
import { lateEvidence } from '#server/platform/database/migrations/0009-late-evidence.ts'
import { people } from '#server/platform/database/migrations/0010-people.ts'
import { moneyOut } from '#server/platform/database/migrations/0011-money.ts'
import { clock } from '#server/platform/database/migrations/0013-clock.ts'
import { measures } from '#server/platform/database/migrations/0014-measures.ts'
import { limits } from '#server/platform/database/migrations/0015-limits.ts'
import { voids } from '#server/platform/database/migrations/0017-voids.ts'
import { makeGood } from '#server/platform/database/migrations/0018-made-good.ts'
import { moneyReceipts } from '#server/platform/database/migrations/0020-money-receipts.ts'
import { staffExclusions } from '#server/platform/database/migrations/0022-staff-exclusions.ts'
import { notices } from '#server/platform/database/migrations/0024-notices.ts'
import { withdrawalClock } from '#server/platform/database/migrations/0025-longest-wait.ts'
import { adjustmentTimes } from '#server/platform/database/migrations/0027-adjustment-times.ts'
import { recordedTransfers } from '#server/platform/database/migrations/0028-recorded-transfers.ts'
import { leave } from '#server/platform/database/migrations/0029-leave.ts'
import { earlySale } from '#server/platform/database/migrations/0031-early-sale.ts'
import { saleChecks } from '#server/platform/database/migrations/0032-sale-checks.ts'
import { care } from '#server/platform/database/migrations/0033-care.ts'
import { moreNotices } from '#server/platform/database/migrations/0034-more-notices.ts'
import { termsOfUse } from '#server/platform/database/migrations/0035-terms-of-use.ts'
import { ownData } from '#server/platform/database/migrations/0036-own-data.ts'
import { payouts } from '#server/platform/database/migrations/0037-payouts.ts'
import { staffRequests } from '#server/platform/database/migrations/0038-staff-requests.ts'
import { keys } from '#server/platform/database/migrations/0039-keys.ts'
import { priceAlerts } from '#server/platform/database/migrations/0041-price-alerts.ts'
import { accountClosing } from '#server/platform/database/migrations/0043-account-closing.ts'
import { erasedAccounts } from '#server/platform/database/migrations/0044-erased-accounts.ts'
import { alerts } from '#server/platform/database/migrations/0045-alerts.ts'
import { maintenance } from '#server/platform/database/migrations/0046-maintenance.ts'
import { recovery } from '#server/platform/database/migrations/0047-recovery.ts'
import { auditedPayments } from '#server/platform/database/migrations/0049-audited-payments.ts'
import { paymentFiles } from '#server/platform/database/migrations/0050-payment-files.ts'
import { userDesk } from '#server/platform/database/migrations/0051-user-desk.ts'
import { firstDetails } from '#server/platform/database/migrations/0052-first-details.ts'
import { push } from '#server/platform/database/migrations/0053-push.ts'
import { saleTerms } from '#server/platform/database/migrations/0054-sale-terms.ts'
import { contradictedEntries } from '#server/platform/database/migrations/0055-contradicted-entries.ts'
import { readyServers } from '#server/platform/database/migrations/0056-ready-servers.ts'
import { accessCodes } from '#server/platform/database/migrations/0057-access-codes.ts'
import { caps } from '#server/platform/database/migrations/0058-caps.ts'
import { tickets } from '#server/platform/database/migrations/0059-tickets.ts'
import { reports } from '#server/platform/database/migrations/0060-reports.ts'
import { logInCountries } from '#server/platform/database/migrations/0061-log-in-countries.ts'
import { rareOutcomes } from '#server/platform/database/migrations/0062-rare-outcomes.ts'
import { ownAdjustments } from '#server/platform/database/migrations/0066-own-adjustments.ts'
import { repeatedNotices } from '#server/platform/database/migrations/0067-repeated-notices.ts'
import { erasedStays } from '#server/platform/database/migrations/0068-erased-stays.ts'
import { practice } from '#server/platform/database/migrations/0069-practice.ts'
import { withdrawalWaits } from '#server/platform/database/migrations/0070-ended-waits.ts'
import { arrivals } from '#server/platform/database/migrations/0071-arrivals.ts'
import { sureNotices } from '#server/platform/database/migrations/0073-sure-notices.ts'

/** Every migration by name, oldest first. A released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
  '0002-void-result': voidResult,
  '0003-transfer-kinds': transferKinds,
  '0004-register': register,
  '0005-tick-log-text-2': tickLogText2,
  '0006-trade-terms': tradeTerms,
  '0007-sources': sources,
  '0008-rule-two': ruleTwo,
  '0009-late-evidence': lateEvidence,
  '0010-people': people,
  '0011-money': moneyOut,
  '0013-clock': clock,
  '0014-measures': measures,
  '0015-limits': limits,
  '0017-voids': voids,
  '0018-made-good': makeGood,
  '0020-money-receipts': moneyReceipts,
  '0022-staff-exclusions': staffExclusions,
  '0024-notices': notices,
  '0025-longest-wait': withdrawalClock,
  '0027-adjustment-times': adjustmentTimes,
  '0028-recorded-transfers': recordedTransfers,
  '0029-leave': leave,
  '0031-early-sale': earlySale,
  '0032-sale-checks': saleChecks,
  '0033-care': care,
  '0034-more-notices': moreNotices,
  '0035-terms-of-use': termsOfUse,
  '0036-own-data': ownData,
  '0037-payouts': payouts,
  '0038-staff-requests': staffRequests,
  '0039-keys': keys,
  '0041-price-alerts': priceAlerts,
  '0043-account-closing': accountClosing,
  '0044-erased-accounts': erasedAccounts,
  '0045-alerts': alerts,
  '0046-maintenance': maintenance,
  '0047-recovery': recovery,
  '0049-audited-payments': auditedPayments,
  '0050-payment-files': paymentFiles,
  '0051-user-desk': userDesk,
  '0052-first-details': firstDetails,
  '0053-push': push,
  '0054-sale-terms': saleTerms,
  '0055-contradicted-entries': contradictedEntries,
  '0056-ready-servers': readyServers,
  '0057-access-codes': accessCodes,
  '0058-caps': caps,
  '0059-tickets': tickets,
  '0060-reports': reports,
  '0061-log-in-countries': logInCountries,
  '0062-rare-outcomes': rareOutcomes,
  '0066-own-adjustments': ownAdjustments,
  '0067-repeated-notices': repeatedNotices,
  '0068-erased-stays': erasedStays,
  '0069-practice': practice,
  '0070-ended-waits': withdrawalWaits,
  '0071-arrivals': arrivals,
  '0073-sure-notices': sureNotices,
}
