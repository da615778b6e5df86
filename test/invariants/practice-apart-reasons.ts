/**
 * Statements that read orders, balances or accounts of several users without naming the kind of account, and why they
 * may. The key is the file in `src/server` and the name of the declaration.
 */
export const ALL_ACCOUNTS_REASONS: Readonly<Record<string, string>> = {
  ...because(
    'Practice accounts have no deposits, withdrawals, adjustments, payment files or codes, which constraints of the tables say.',
    [
      'back-office/access-codes/access-codes.queries.ts DEPOSITED',
      'back-office/find/find.queries.ts findPayments',
      'back-office/withdrawals/review-facts.queries.ts checksOf',
      'payments/deposits/review.queries.ts reviewed',
      'payments/payment-files/payment-files.queries.ts findFullNames',
      'payments/payment-files/payment-files.queries.ts listLines',
      'payments/withdrawals/find-withdrawals.queries.ts selectReviewed',
      'proof/fairness/fairness-sql.ts PENDING',
      'proof/fairness/fairness-sql.ts WITHDRAWALS',
      'proof/service-levels/count-service-levels.queries.ts records',
    ],
  ),
  ...because(
    'Practice accounts have no sessions, devices, keys, tickets, measures, breaks, traits, contacts or push addresses, which constraints of the tables say.',
    [
      'back-office/tickets/tickets.queries.ts listed',
      'back-office/tickets/tickets.queries.ts matches',
      'proof/measures/count-measures.queries.ts countMeasures',
      'users/accounts/measures.queries.ts listDueMeasures',
      'users/accounts/measures.queries.ts measures',
      'users/keys/key-orders.ts findUse',
      'users/keys/keys.queries.ts findKeys',
      'users/limits/breaks.queries.ts clearEndedBreaks',
      'users/limits/excluded-person.queries.ts listSamePeople',
      'users/limits/excluded-person.queries.ts listUsersToHash',
      'users/password-reset/password-reset.queries.ts accountsOfPeople',
      'users/push/push-deliveries.queries.ts claimPushes',
      'users/recovery/recovery.queries.ts recoveries',
      'users/sessions/devices.queries.ts isProvenDevice',
      'users/sessions/devices.queries.ts knownDevice',
      'users/sessions/sessions.queries.ts findSessions',
      'users/sessions/sessions.queries.ts hasSessionFrom',
    ],
  ),
  ...because('Finds accounts by a name or by ids, and nobody can log in with the name of a practice account.', [
    'users/accounts/users.queries.ts findCredentials',
    'users/accounts/users.queries.ts findUserId',
    'users/accounts/users.queries.ts lockAccount',
    'seed/bot-accounts.ts ensureBotAccounts',
    'site/erasing/erasing.queries.ts knownUsers',
  ]),
  ...because('Only asks whether the site has any account.', [
    'payments/gateways/save-gateway.ts hasAnyUser',
    'settings/change-settings.ts hasAnyUser',
  ]),
  ...because('The same engine decides and settles practice orders, in the same statements.', [
    'trading/engine/accept.queries.ts lockedBalances',
    'trading/engine/due-orders.queries.ts loadDueOrders',
    'trading/engine/expiries.queries.ts openExpiries',
    'trading/engine/expiries.queries.ts overdueExpiries',
    'trading/engine/order-rows.ts firstOfClientId',
    'trading/engine/settle.queries.ts openOrders',
    'trading/engine/settle.queries.ts removedOrders',
    'trading/engine/settled-orders.queries.ts findSettled',
    'trading/evidence/undecided-expiries.queries.ts undecidedExpiries',
    'trading/sales/sale-expiries.queries.ts listPassedOrders',
    'trading/sales/sale-requests.queries.ts listUndecided',
    'market-data/feeds/multi-source/stored-symbols.queries.ts symbolsWithOrders',
    'proof/records/record-checks.queries.ts listUnclosed',
    'back-office/maintenance/maintenance.queries.ts countOpenOrders',
  ]),
  ...because('Practice orders get receipts and are made good as orders of money are, each in its own currency.', [
    'proof/made-good/made-good.queries.ts listDue',
    'proof/made-good/made-good.queries.ts listOrdersOf',
    'proof/made-good/made-good.queries.ts takeDue',
    'proof/receipts/amended-orders.queries.ts readAmendments',
    'proof/receipts/order-rows.queries.ts readAcceptedOrders',
    'proof/receipts/order-rows.queries.ts readSettledOrders',
    'proof/receipts/receipt-batch.queries.ts nextSettled',
    'proof/receipts/sold-orders.queries.ts readSales',
    'trading/orders/made-good-of.queries.ts madeGoodOf',
  ]),
  ...because('The books are checked for each account and each currency.', [
    'ledger/reconciliation/count-ledger.queries.ts MISMATCHES',
    'ledger/reconciliation/full-reconcile.queries.ts addPortion',
    'ledger/reconciliation/full-reconcile.queries.ts findPortionEnd',
  ]),
  ...because('Selects for given accounts or a given reference, or is a part of a statement that names the kind.', [
    'back-office/find/find.queries.ts findOrders',
    'back-office/ledger/ledger.queries.ts firstSubject',
    'back-office/ledger/newest-transfers.queries.ts ends',
    'back-office/ledger/newest-transfers.queries.ts listsOf',
    'back-office/ledger/newest-transfers.queries.ts newestTransfers',
    'back-office/ledger/newest-transfers.queries.ts others',
    'back-office/ledger/newest-transfers.queries.ts stakes',
    'back-office/orders/orders.queries.ts select',
    'back-office/reports/report-flows.queries.ts IS_BOT',
    'back-office/reports/report-flows.queries.ts ORDERS',
    'proof/fairness/fairness-sql.ts ORDERS',
    'sockets/live.queries.ts findResultNumbers',
    'sockets/live.queries.ts unseenResults',
    'trading/orders/orders-by-opening.queries.ts ordersByOpening',
  ]),
  ...because('The first transfer of the site only limits what is read.', [
    'back-office/reports/report-totals.queries.ts findFirstTransfer',
  ]),
}

function because(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]))
}
