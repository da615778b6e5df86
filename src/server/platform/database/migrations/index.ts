import type { Migration } from 'kysely'
import { accounts } from '#server/platform/database/migrations/20261130-accounts.ts'
import { fewerHistoryIndexes } from '#server/platform/database/migrations/20261213-fewer-history-indexes.ts'
import { fewerIndexes } from '#server/platform/database/migrations/20261203-fewer-indexes.ts'
import { priceKey } from '#server/platform/database/migrations/20261204-price-key.ts'
import { auditChain } from '#server/platform/database/migrations/20261123-audit-chain.ts'
import { books } from '#server/platform/database/migrations/20261123-books.ts'
import { destinationFields } from '#server/platform/database/migrations/20261228-destination-fields.ts'
import { dayTotals } from '#server/platform/database/migrations/20261123-day-totals.ts'
import { incidents } from '#server/platform/database/migrations/20261129-incidents.ts'
import { keptEvidence } from '#server/platform/database/migrations/20261129-kept-evidence.ts'
import { liabilities } from '#server/platform/database/migrations/20261125-liabilities.ts'
import { fairness } from '#server/platform/database/migrations/20261127-fairness.ts'
import { firstChecks } from '#server/platform/database/migrations/20261128-first-checks.ts'
import { feedIncidents } from '#server/platform/database/migrations/20261125-feed-incidents.ts'
import { mainJob } from '#server/platform/database/migrations/20261121-main-job.ts'
import { moneyQueues } from '#server/platform/database/migrations/20261123-money-queues.ts'
import { nodes } from '#server/platform/database/migrations/20261128-nodes.ts'
import { operator } from '#server/platform/database/migrations/20261121-operator.ts'
import { oneIndexLess } from '#server/platform/database/migrations/20261205-one-index-less.ts'
import { keysByOrder } from '#server/platform/database/migrations/20261206-keys-by-order.ts'
import { rightsByBalance } from '#server/platform/database/migrations/20261207-rights-by-balance.ts'
import { listsByOrders } from '#server/platform/database/migrations/20261208-lists-by-orders.ts'
import { leaseToken } from '#server/platform/database/migrations/20261209-lease-token.ts'
import { historyKeys } from '#server/platform/database/migrations/20261211-history-keys.ts'
import { ledgerSums } from '#server/platform/database/migrations/20261210-ledger-sums.ts'
import { operatorWords } from '#server/platform/database/migrations/20261124-operator-words.ts'
import { providerHistory } from '#server/platform/database/migrations/20261125-provider-history.ts'
import { recount } from '#server/platform/database/migrations/20261212-recount.ts'
import { receipts } from '#server/platform/database/migrations/20261126-receipts.ts'
import { receiptKeys } from '#server/platform/database/migrations/20261129-receipt-keys.ts'
import { received } from '#server/platform/database/migrations/20261201-received.ts'
import { numberedResults } from '#server/platform/database/migrations/20261214-numbered-results.ts'
import { fairnessDays } from '#server/platform/database/migrations/20261215-fairness-days.ts'
import { splits } from '#server/platform/database/migrations/20261216-splits.ts'
import { requestFingerprints } from '#server/platform/database/migrations/20261225-request-fingerprints.ts'
import { rightsByLockedBalance } from '#server/platform/database/migrations/20261224-rights-by-locked-balance.ts'
import { tickHoles } from '#server/platform/database/migrations/20261216-tick-holes.ts'
import { serverRuns } from '#server/platform/database/migrations/20261220-server-runs.ts'
import { openOrderIndexes } from '#server/platform/database/migrations/20261202-open-order-indexes.ts'
import { siteContent } from '#server/platform/database/migrations/20261121-site-content.ts'
import { staff } from '#server/platform/database/migrations/20261122-staff.ts'
import { tickPacks } from '#server/platform/database/migrations/20261125-tick-packs.ts'
import { venues } from '#server/platform/database/migrations/20261123-venues.ts'
import { waysAndSettings } from '#server/platform/database/migrations/20261123-ways-and-settings.ts'
import { uploads } from '#server/platform/database/migrations/20261121-uploads.ts'
import { provenAddresses } from '#server/platform/database/migrations/20261219-proven-addresses.ts'
import { users } from '#server/platform/database/migrations/20261124-users.ts'
import { verificationReason } from '#server/platform/database/migrations/20261231-verification-reason.ts'
import { withdrawals } from '#server/platform/database/migrations/20261121-withdrawals.ts'
import { withdrawnCorrections } from '#server/platform/database/migrations/20261230-withdrawn-corrections.ts'

/** Every migration by name, oldest first. A merged migration must not change its effect. */
export const migrations: Record<string, Migration> = {
  '20261121-main-job': mainJob,
  '20261121-operator': operator,
  '20261121-site-content': siteContent,
  '20261121-uploads': uploads,
  '20261121-withdrawals': withdrawals,
  '20261122-staff': staff,
  '20261123-audit-chain': auditChain,
  '20261123-books': books,
  '20261123-money-queues': moneyQueues,
  '20261123-venues': venues,
  '20261124-operator-words': operatorWords,
  '20261124-users': users,
  '20261125-liabilities': liabilities,
  '20261123-day-totals': dayTotals,
  '20261123-ways-and-settings': waysAndSettings,
  '20261125-tick-packs': tickPacks,
  '20261125-provider-history': providerHistory,
  '20261125-feed-incidents': feedIncidents,
  '20261126-receipts': receipts,
  '20261127-fairness': fairness,
  '20261128-first-checks': firstChecks,
  '20261129-incidents': incidents,
  '20261129-kept-evidence': keptEvidence,
  '20261128-nodes': nodes,
  '20261129-receipt-keys': receiptKeys,
  '20261130-accounts': accounts,
  '20261201-received': received,
  '20261202-open-order-indexes': openOrderIndexes,
  '20261203-fewer-indexes': fewerIndexes,
  '20261204-price-key': priceKey,
  '20261205-one-index-less': oneIndexLess,
  '20261206-keys-by-order': keysByOrder,
  '20261207-rights-by-balance': rightsByBalance,
  '20261208-lists-by-orders': listsByOrders,
  '20261209-lease-token': leaseToken,
  '20261210-ledger-sums': ledgerSums,
  '20261211-history-keys': historyKeys,
  '20261212-recount': recount,
  '20261213-fewer-history-indexes': fewerHistoryIndexes,
  '20261214-numbered-results': numberedResults,
  '20261215-fairness-days': fairnessDays,
  '20261216-splits': splits,
  '20261216-tick-holes': tickHoles,
  '20261219-proven-addresses': provenAddresses,
  '20261220-server-runs': serverRuns,
  '20261224-rights-by-locked-balance': rightsByLockedBalance,
  '20261225-request-fingerprints': requestFingerprints,
  '20261228-destination-fields': destinationFields,
  '20261230-withdrawn-corrections': withdrawnCorrections,
  '20261231-verification-reason': verificationReason,
}
