/** Where an attack of the list meets this product otherwise than the list expects, and what replaces it. */
export const NOTES: Readonly<Record<string, string>> = {
  '1': 'A plain decimal text such as `"100"` is a stake as good as the number 100.',
  '4': 'Keys that nobody knows have no effect instead of being refused.',
  '12': 'An order starts from the newest tick of the log, never from what its client shows or says. Somebody whose source is faster than ours knows a little more than the log; what bounds that is how old a tick may be per symbol, the sources that must agree, and a payout below 100 %. It is not shut out altogether.',
  '24': 'A socket is opened by anyone of our own origin and proves nothing; each message carries its token.',
  '28': 'Receipts and their evidence are public on purpose, and name neither a user nor a stake.',
  '31': 'Pictures are drawn anew; a document is kept as it is and only ever downloaded by staff. There is no virus scanner: what is not a picture or a PDF is refused by its first bytes.',
  '32': 'Thirty receipts a day and thirty pictures an hour for one account; 256 MB of files in memory at once, then `503`.',
  '36': 'There is no CORS at all: no origin but our own is ever allowed.',
  '37': 'Tokens travel in a header that no form can send; the cookie of the back office is `SameSite=Strict`.',
  '38': 'Every statement has its values as parameters. `FUZZ_RUNS=1000 npx vitest run src/server/attacks/fuzz.test.ts` tries every call and message a thousand times; `npm test` does three.',
  '39': 'A body of more than 64 KiB is cut off, so a hundred thousand keys are never parsed.',
  '40': 'No call takes an address that the server would go to: addresses come from the environment and its files alone.',
  '47': 'What fails after the commit may answer 500 although it was done; repeating it with its request id tells so.',
  '48': 'The lockfile names no host: packages come from the registry that npm is set to, and must have the sum in the lockfile.',
}
