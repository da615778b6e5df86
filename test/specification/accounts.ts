import { row } from '#test/specification/row.ts'

/** Protection of accounts against other people. */
export const ACCOUNTS = {
  title: 'Accounts, guarded',
  rows: [
    row('AC1', 'second step', 'a code of an app or a recovery code, each once, with a ticket that lives five minutes'),
    row('AC2', 'wrong codes', 'five in all, even in parallel; the owner can still log in from a known device'),
    row('AC3', 'passkeys', 'log in alone or as the second step, for their own site and account only'),
    row(
      'AC4',
      'confirmation',
      'before money goes out and before password, PIN, mobile, payout details or factors change',
    ),
    row('AC5', 'pause', 'withdrawals are paused after a change that a thief would make'),
    row('AC6', 'payout details changed', 'while a withdrawal is pending: earlier approvals become invalid'),
    row('AC7', 'sessions', 'listed by device, ended one by one or all others'),
    row('AC8', 'new devices', 'reported by email and in the app; log-ins are kept for ninety days'),
    row('AC9', 'guessing', 'counted by name, by address and in all, whatever address is forwarded'),
    row('AC10', 'locking somebody out', 'the owner can still log in from a known device, and after a reset'),
    row('AC11', 'whether there is an account', 'is revealed neither by the reply nor by its cost'),
    row('AC12', 'common passwords', 'are refused within the rule of 6 to 20'),
    row('AC13', 'encryption', 'of payout details and second-step secrets, with a key that can be changed'),
  ],
}
