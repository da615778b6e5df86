import { row } from '#test/specification/row.ts'

/** Protection of accounts against other people. */
export const ACCOUNTS = {
  title: 'Accounts, guarded',
  rows: [
    row('AC1', 'second step', 'a code of an app or a recovery code, each once, with a ticket that lives five minutes'),
    row('AC2', 'wrong codes', 'five in all, even in parallel; the owner still enters from a known device'),
    row('AC3', 'passkeys', 'sign in alone or as the second step, of their own site and account only'),
    row(
      'AC4',
      'confirmation',
      'before money goes out and before password, PIN, mobile, payout details or factors change',
    ),
    row('AC5', 'pause', 'withdrawals wait after a change that a thief would make'),
    row('AC6', 'payout details changed', 'while a withdrawal waits: what was approved counts no more'),
    row('AC7', 'sessions', 'listed in words, ended one by one or all others'),
    row('AC8', 'new devices', 'told by mail and in the app; who came in is kept for ninety days'),
    row('AC9', 'guessing', 'counted by name, by address and in all, whatever is forwarded'),
    row('AC10', 'locking somebody out', 'the owner still enters where they are known, and by a reset'),
    row('AC11', 'whether there is an account', 'is told neither by the answer nor by what it costs'),
    row('AC12', 'common passwords', 'are refused within the rule of 6 to 20'),
    row('AC13', 'sealed', 'payout details and secrets of second steps, with a key that can be changed'),
  ],
}
