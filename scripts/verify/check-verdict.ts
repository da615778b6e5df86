import type { BundleFault } from '#core/proof/check-bundle.ts'
import type { FileFault } from '#core/proof/bundle-file.ts'
import type { LogFault } from '#core/proof/log-evidence.ts'

export const MATCHES = 0
export const DIFFERS = 1
export const COULD_NOT_CHECK = 2

/** The exit code of a command and the lines to print. */
export interface Checked {
  readonly exitCode: number
  readonly lines: readonly string[]
}

/** A required input is missing or malformed. */
export class CannotCheck extends Error {}
/** The exported or published parts of the tick log contradict each other, so one of them was changed. */
export class LogDiffers extends Error {}

export const FILE_FAULTS: Readonly<Record<FileFault, string>> = {
  cut_off: 'The file is cut off, or is not JSON.',
  unknown: 'The file holds neither a receipt nor a check file of a version that is known here.',
}

const FAULTS: Readonly<Record<Exclude<BundleFault, 'log'>, string>> = {
  form: 'The facts are not written as those of a receipt have to be.',
  root: 'The facts are not what was signed: a fact or the path was changed, or the signature is that of another receipt.',
  owner: "The owner's part is not that of this order.",
  times: 'Its moments contradict each other: it was decided or signed before that could be.',
  clock: 'By the log around it the order was opened at another time: a clock was more than 5 seconds off.',
  log_short: 'The piece of the log does not go back far enough to show that there was no other price.',
  head: 'The log does not end where the receipt says: it is another piece, or another log.',
  entry:
    'The entry is not the newest price of its symbol when the order was taken, or no order is taken on such a price.',
  exit: 'The exit is not the last price up to the expiry.',
  next: 'The price after the exit is another one.',
  price: 'By the rule another price (or none) decides this order.',
  result: 'By the rule this order ends otherwise than the receipt says.',
  signature_form: 'The signature is not written as ours are.',
  key_unknown: 'It was signed with a key that was never published, or that is not the key its id says.',
  key_retired: 'It was signed with a key that was not in use at that time.',
  signature: 'The signature is not by the key it names, or is of something else.',
  terms: 'The two receipts are not of the same order, or not of the same terms.',
  hole: 'Trades of the source are missing between the exit and the price after it.',
  line: 'A later trade of the source shows that another price was the last before the expiry.',
  withheld: 'The order is void although the log decides it, or before the history was asked for long enough.',
  amended: 'By the trades of the record that it names, another amount is owed.',
  sale_tick: 'By the log another price (or none) carries the sale out.',
  sale_limits: 'By the log no sale is offered at that price.',
  sale_value: 'By the log the movement before the sale, or the chance, is another one.',
  sale_amount: 'The amounts of the sale are not those that the rule gives, or less than was asked for.',
  terms_unknown: 'No published trade terms allow this payout, length, price age or rule at that time.',
}

const LOG_FAULTS: Readonly<Record<LogFault['why'], (seq: number) => string>> = {
  empty: () => 'There is no piece of the log to check with.',
  hash: (seq) =>
    `The prices from place ${seq} of the log on are not those that were logged: their hash is another one.`,
  fork: (seq) => `The two pieces of the log are of different logs: up to place ${seq} they do not say the same.`,
  gap: (seq) => `The piece of the log does not go on at place ${seq}: something was taken out, added or moved.`,
  line: (seq) =>
    `Places are missing, doubled or out of order in the log from ${seq} on, or it is not written as a log.`,
  back: (seq) => `The price at place ${seq} is older than one of its symbol before it: no log takes it.`,
  received: (seq) => `The price at place ${seq} was received too long after its time, or before it: no log takes it.`,
}

/** Returns the message of a fault. */
export function faultText(fault: BundleFault, logFault: LogFault | null): string {
  if (fault !== 'log') return FAULTS[fault]
  return logFault === null ? 'The log does not hold together.' : LOG_FAULTS[logFault.why](logFault.seq)
}
