import { row, testsIn } from '#test/specification/row.ts'

const rules = testsIn('src/core/proof/liabilities.test.ts')
const server = testsIn('src/server/proof/liabilities/liabilities.test.ts')
const card = testsIn('src/web/screens/wallet/owed-card.test.tsx')
const journey = testsIn('e2e/journeys/liabilities.spec.ts')
const command = testsIn('scripts/verify/check-proof-file.test.ts')

/** The daily proof of what is owed to users. */
export const LIABILITIES = {
  title: 'What is owed, proven',
  rows: [
    row(
      'the total',
      'is the sum of all inclusion proofs, which is what the ledger says, at one moment while orders run',
      rules('the proofs of a day > all pass, and add up to the published total'),
      server('a day > is the sum of all proofs, which is what the ledger says'),
      server('a day > is what was owed at one moment, while money comes in'),
      server('a day > is taken with orders under way'),
      server('a day > is not published when the ledger does not add up'),
    ),
    row(
      'tampering',
      'is caught, whichever field of a proof or of a record it is',
      rules('the proofs of a day > fail when any single field is changed'),
      rules('the proofs of a day > fail with a part that is missing'),
      rules('the chain of days > breaks when'),
      server('an own proof > shows it when'),
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
      server('a day > is taken once, and covers the day before'),
    ),
    row(
      'GET /user/proof/liabilities',
      'answers the own proof of the newest or of a given day',
      server('an own proof > is there for who was there, and only for them'),
      server('an own proof > can be asked for of a day, and is refused where there is none'),
    ),
    row(
      'wallet: what we owe you, proven',
      'checked in the browser; loud when it does not match',
      card('checks the proof and shows what is in it'),
      card('is loud about'),
      journey('the wallet checks the own proof'),
      journey('a leaf that somebody changed in the database is shown loudly'),
    ),
    row(
      'home: proofs since',
      'is the day of the first proof that was made',
      server('the daily job > takes the first one soon after a start and one at each midnight in UTC'),
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
