/** Seeds that have found a fault, with a description of the fault. These seeds always run first. */
export const FOUND: readonly {
  readonly seed: number
  readonly minutes: number
  readonly rule: 1 | 2
  readonly what: string
}[] = [
  { seed: 38, minutes: 2, rule: 1, what: 'an order was taken on a price of the future after the clock was set back' },
  { seed: 159, minutes: 2, rule: 1, what: 'the same went on for as long as the clock was behind' },
  {
    seed: 111,
    minutes: 3,
    rule: 1,
    what: 'after a restart a price came into a time that a heartbeat had ended and settled',
  },
  {
    seed: 142_311_211,
    minutes: 1,
    rule: 2,
    what: 'the auditor took the question about a later expiry for the last one about its own',
  },
]

/** Which seed finds which planted bug. */
export const FINDS: readonly { readonly mutant: string; readonly seed: number; readonly minutes: number }[] = [
  { mutant: 'client-key-dropped', seed: 16, minutes: 10 },
  { mutant: 'settled-again', seed: 1, minutes: 1 },
  { mutant: 'exit-after-expiry', seed: 1, minutes: 1 },
  { mutant: 'lost-ack-is-refusal', seed: 17, minutes: 10 },
  { mutant: 'lost-ack-is-forgotten', seed: 41, minutes: 10 },
  { mutant: 'watermark-ignored', seed: 1, minutes: 1 },
  { mutant: 'rounded-in-favour', seed: 1, minutes: 1 },
  { mutant: 'draw-without-refund', seed: 3, minutes: 1 },
  { mutant: 'void-without-refund', seed: 6, minutes: 1 },
  { mutant: 'tie-is-loss', seed: 3, minutes: 1 },
  { mutant: 'stale-price-accepted', seed: 6, minutes: 1 },
  { mutant: 'bent-entry', seed: 1, minutes: 1 },
  { mutant: 'guard-ignored', seed: 3, minutes: 1 },
  { mutant: 'limit-not-enforced', seed: 10, minutes: 1 },
  { mutant: 'result-not-numbered', seed: 1, minutes: 1 },
  { mutant: 'result-told-wrong', seed: 1, minutes: 1 },
  { mutant: 'price-overwritten', seed: 13, minutes: 1 },
  { mutant: 'deposit-key-dropped', seed: 39, minutes: 1 },
  { mutant: 'approval-race', seed: 64, minutes: 1 },
  { mutant: 'withdrawal-race', seed: 48, minutes: 3 },
  { mutant: 'one-person-suffices', seed: 4, minutes: 2 },
  { mutant: 'audit-line-lost', seed: 1, minutes: 1 },
  { mutant: 'late-tick-admitted', seed: 14, minutes: 1 },
  { mutant: 'log-not-read-back', seed: 25, minutes: 1 },
  { mutant: 'recovery-forgotten', seed: 7, minutes: 1 },
  { mutant: 'order-of-the-log', seed: 2, minutes: 1 },
  { mutant: 'hole-ignored', seed: 2, minutes: 1 },
  { mutant: 'doubt-is-final', seed: 3, minutes: 1 },
  { mutant: 'switch-forgets-number', seed: 2, minutes: 1 },
  { mutant: 'sources-mixed', seed: 2, minutes: 1 },
  { mutant: 'next-is-exit', seed: 2, minutes: 1 },
  { mutant: 'void-without-asking', seed: 2, minutes: 1 },
  { mutant: 'settled-before-watermark', seed: 3, minutes: 1 },
  { mutant: 'record-overrules-log', seed: 6, minutes: 1 },
  { mutant: 'other-symbol', seed: 2, minutes: 1 },
  { mutant: 'contradiction-ignored', seed: 14, minutes: 1 },
  { mutant: 'asked-once', seed: 4, minutes: 1 },
  { mutant: 'never-gives-up', seed: 4, minutes: 2 },
  { mutant: 'decision-overwritten', seed: 2, minutes: 1 },
  { mutant: 'sold-and-settled', seed: 1, minutes: 2 },
  { mutant: 'sold-twice', seed: 1, minutes: 2 },
  { mutant: 'sale-fee-lost', seed: 1, minutes: 2 },
  { mutant: 'sale-at-newest-price', seed: 1, minutes: 2 },
  { mutant: 'sale-of-coming-terms', seed: 1, minutes: 8 },
  { mutant: 'sale-of-other-model', seed: 1, minutes: 2 },
  { mutant: 'sale-after-expiry', seed: 1, minutes: 2 },
  { mutant: 'sale-below-least', seed: 1, minutes: 2 },
  { mutant: 'cap-raced', seed: 3, minutes: 1 },
  { mutant: 'cap-not-lowered', seed: 1, minutes: 3 },
  { mutant: 'cap-not-rebuilt', seed: 7, minutes: 1 },
]

/** Which seed finds which planted bug of limits, breaks, price alerts and notices, in how many sessions. */
export const LIMIT_FINDS: readonly { readonly mutant: string; readonly seed: number; readonly sessions: number }[] = [
  { mutant: 'limit-raced', seed: 2, sessions: 3 },
  { mutant: 'window-forgets', seed: 3, sessions: 3 },
  { mutant: 'break-lifted-by-limit', seed: 2, sessions: 3 },
  { mutant: 'exclusion-lifted', seed: 2, sessions: 3 },
  { mutant: 'loosened-without-day', seed: 1, sessions: 3 },
  { mutant: 'loosened-without-yes', seed: 1, sessions: 3 },
  { mutant: 'notice-doubled', seed: 1, sessions: 3 },
  { mutant: 'notice-lost', seed: 4, sessions: 3 },
  { mutant: 'decision-untold', seed: 3, sessions: 3 },
  { mutant: 'alert-fired-again', seed: 3, sessions: 3 },
]
