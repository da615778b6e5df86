const inFolder = (folder, names) => names.map((name) => `${folder}/${name}.ts`)

/**
 * What is mutated, and the tests that have to notice. Tests that need a database take seconds for each mutant, so each group
 * names its own few.
 */
export const MUTATION_GROUPS = {
  rules: {
    mutate: [
      ...inFolder('src/core/orders', ['order', 'place-order', 'settle-order', 'settlement-price']),
      ...inFolder('src/core/ledger', ['account', 'transfer']),
      ...inFolder('src/core/money', ['decimal', 'money']),
      ...inFolder('src/core/wallet', ['deposit-quote', 'payout-checks', 'withdrawal-quote']),
      'src/server/withdrawals/closing-transfers.ts',
    ],
    tests: ['src/core/{orders,ledger,money,wallet}/*.test.ts', 'src/server/withdrawals/closing-transfers.test.ts'],
  },
  ledger: {
    mutate: inFolder('src/server/ledger', ['check-ledger', 'post-transfers']),
    tests: ['src/server/ledger/ledger.test.ts'],
  },
  approvals: {
    mutate: [
      ...inFolder('src/server/back-office', ['admit-approval', 'two-people']),
      ...inFolder('src/server/corrections', ['ask-correction', 'decide-correction']),
      ...inFolder('src/server/deposits', ['approve-deposit', 'credit-deposit', 'decide-deposit', 'reject-deposit']),
      ...inFolder('src/server/withdrawals', [
        'approve-withdrawal',
        'cancel-withdrawal',
        'close-withdrawal',
        'reject-withdrawal',
      ]),
    ],
    tests: [
      'src/server/corrections/staff-corrections.test.ts',
      'src/server/deposits/staff-deposits.test.ts',
      'src/server/withdrawals/staff-withdrawals.test.ts',
    ],
  },
  settlement: {
    mutate: ['src/server/engine/settler.ts'],
    tests: [
      'src/server/engine/settler.test.ts',
      'src/server/engine/settler-rounds.test.ts',
      'src/server/engine/settle-guard.test.ts',
      'sim/lives.test.ts',
    ],
  },
}
