import { row } from '#test/specification/row.ts'

/** The daily proof of liabilities to users. */
export const LIABILITIES = {
  title: 'What is owed, proven',
  rows: [
    row(
      'LI1',
      'the total',
      'is the sum of all inclusion proofs, which is what the ledger says, at one moment while orders run',
    ),
    row('LI2', 'tampering', 'is caught, whichever field of a proof or of a record it is'),
    row('LI3', 'privacy', 'nobody learns another’s balance from a proof'),
    row('LI4', 'GET /proof/liabilities', 'answers root and total of each day to anyone, the newest first'),
    row('LI5', 'GET /user/proof/liabilities', 'answers the own proof of the newest or of a given day'),
    row('LI6', 'wallet: what we owe you, proven', 'checked in the browser; loud when it does not match'),
    row('LI7', 'home: proofs since', 'is the day of the first proof that was made'),
    row('LI8', 'npm run check:liabilities', 'checks a saved proof without a server, and another program can'),
  ],
}
