import { row } from '#test/specification/row.ts'

/** The bonus payments, and the promise that results cannot be changed. */
export const PROMISES = {
  title: 'Promises that are kept',
  rows: [
    row('PR1', 'credits for beginner tasks', 'are paid from a ledger account, each task once, by the amounts in force'),
    row('PR2', 'amounts of the operator', 'make up the promised total, and apply only to later payments'),
    row('PR3', 'credits', 'come from the bonus account and never become anything else'),
    row('PR4', 'POST /user/tasks/checked', 'pays for checking an own result, once'),
    row('PR5', '/check', 'computes any result again in the browser; each mismatch has its own message in an alert'),
    row(
      'PR6',
      'no outcome control',
      'is walked and published: calls, messages, commands, settings, columns, writers, rights',
    ),
    row('PR7', '/no-control', 'shows that report to anyone'),
  ],
}
