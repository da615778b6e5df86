import { row, testsIn } from '#test/specification/row.ts'

const rules = testsIn('src/core/proof/liabilities.test.ts')
const server = testsIn('src/server/proof/liabilities/liabilities.test.ts')
const card = testsIn('src/web/screens/wallet/owed-card.test.tsx')
const journey = testsIn('e2e/journeys/liabilities.spec.ts')
const command = testsIn('scripts/verify/check-proof-file.test.ts')

/** The daily proof of liabilities to users. */
export const LIABILITIES = {
  title: 'What is owed, proven',
  rows: [
    row(
      'the total',
      'is the sum of all inclusion proofs, which is what the ledger says, at one moment while orders run',
      rules('the proofs of a day > all pass, and add up to the published total'),
      server(
        "the proof of a day > sums all user proofs to the ledger's total, including open orders and pending withdrawals",
      ),
      server('the proof of a day > covers one instant while deposits arrive'),
      server('the proof of a day > counts each concurrent order either as a stake or as cash'),
      server('the proof of a day > stays unpublished when the ledger does not reconcile'),
    ),
    row(
      'tampering',
      'is caught, whichever field of a proof or of a record it is',
      rules('the proofs of a day > fail when any single field is changed'),
      rules('the proofs of a day > fail with a part that is missing'),
      rules('the chain of days > breaks when'),
      server('the proof of a user > fails the check when the stored tree was changed'),
    ),
    row(
      'privacy',
      'nobody learns another’s balance from a proof',
      rules('privacy of a proof > excludes any sum with more than one of the four parts'),
      rules('privacy of a proof > excludes any leaf with the whole'),
      rules('privacy of a proof > does not link leaves to accounts'),
      rules('the proofs of a day > are bound to one account'),
    ),
    row(
      'GET /proof/liabilities',
      'answers root and total of each day to anyone, the newest first',
      server('the proof of a day > exists once per day and includes the hash of the day before'),
    ),
    row(
      'GET /user/proof/liabilities',
      'answers the own proof of the newest or of a given day',
      server('the proof of a user > exists only for users with an account on that day, and only they can read it'),
      server('the proof of a user > can be requested for a day, and is refused for a day without one'),
    ),
    row(
      'wallet: what we owe you, proven',
      'checked in the browser; loud when it does not match',
      card('checks the proof and shows its content'),
      card('shows an alert about'),
      journey("the wallet checks the user's proof, offers a download, and leads to the public total"),
      journey('a leaf that was changed in the database raises an alert'),
    ),
    row(
      'home: proofs since',
      'is the day of the first proof that was made',
      server(
        'the daily job > creates the first proof soon after a start and one at each UTC midnight, and reports the first day',
      ),
      journey('a visitor finds the totals from home'),
    ),
    row(
      'npm run check:liabilities',
      'checks a saved proof without a server, and another program can',
      command('the command > accepts a proof'),
      command('the command > refuses a proof that was changed'),
      command('the program in the documentation > P14: accepts the same proofs'),
      command('the command > exits with the code of the result'),
    ),
  ],
}
