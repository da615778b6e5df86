import { row } from '#test/specification/row.ts'

/** The daily proof of liabilities to users. */
export const LIABILITIES = {
  title: 'What is owed, proven',
  rows: [
    row('LI1', 'the total', 'is the sum of all inclusion proofs, and of the ledger, at one moment while orders run'),
    row('LI2', 'tampering', 'is detected in any field of a proof or of a record'),
    row('LI3', 'privacy', 'no user learns another user’s balance from a proof'),
    row('LI4', 'GET /proof/liabilities', 'returns root and total of each day to anyone, newest first'),
    row('LI5', 'GET /user/proof/liabilities', 'returns the user’s own proof of the newest or of a given day'),
    row('LI6', 'wallet: what we owe you, proven', 'checked in the browser; an alert when it does not match'),
    row('LI7', 'home: proofs since', 'is the day of the first proof that was made'),
    row('LI8', 'npm run check:liabilities', 'checks a saved proof without a server, and another program can'),
  ],
}
