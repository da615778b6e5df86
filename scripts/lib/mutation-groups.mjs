const inFolder = (folder, names) => names.map((name) => `${folder}/${name}.ts`)

/**
 * The mutated files and the tests that must detect the mutants. Tests with a database take seconds per mutant, so each
 * group names only a few.
 */
export const MUTATION_GROUPS = {
  rules: {
    mutate: [
      ...inFolder('src/core/orders', ['order', 'place-order', 'settle-order', 'settlement-price']),
      ...inFolder('src/core/ledger', ['account', 'transfer']),
      ...inFolder('src/core/money', ['decimal', 'money']),
      ...inFolder('src/core/wallet', ['deposit-quote', 'withdrawal-checks', 'withdrawal-quote']),
      'src/server/payments/withdrawals/withdrawal-transfers.ts',
    ],
    tests: [
      'src/core/{orders,ledger,money,wallet}/*.test.ts',
      'src/server/payments/withdrawals/withdrawal-transfers.test.ts',
    ],
  },
  ledger: {
    mutate: ['src/server/ledger/post-transfers.ts', 'src/server/ledger/reconciliation/check-ledger.ts'],
    tests: ['src/server/ledger/ledger.test.ts'],
  },
  approvals: {
    mutate: [
      ...inFolder('src/server/audit', ['check-dual-approval', 'dual-approval']),
      ...inFolder('src/server/payments/adjustments', ['request-adjustment', 'decide-adjustment']),
      ...inFolder('src/server/payments/deposits', [
        'approve-deposit',
        'credit-deposit',
        'decide-deposit',
        'reject-deposit',
      ]),
      ...inFolder('src/server/payments/withdrawals', [
        'approve-withdrawal',
        'cancel-withdrawal',
        'decide-withdrawal',
        'reject-withdrawal',
      ]),
    ],
    tests: [
      'src/server/back-office/adjustments/adjustments.test.ts',
      'src/server/back-office/deposits/deposits.test.ts',
      'src/server/back-office/withdrawals/withdrawals.test.ts',
    ],
  },
  settlement: {
    mutate: inFolder('src/server/trading/engine', ['settler', 'due-selection', 'price-decider', 'batch-settler']),
    tests: [
      'src/server/trading/engine/settler.test.ts',
      'src/server/trading/engine/settler-rounds.test.ts',
      'src/server/trading/engine/settle-guard.test.ts',
      'sim/lives.test.ts',
    ],
  },
}
