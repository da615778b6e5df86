import { row } from '#test/specification/row.ts'

/** Statistics of the operator's promises, counted from stored data. */
export const FAIRNESS = {
  title: 'Fairness, counted',
  rows: [
    row(
      'FN1',
      'the figures',
      'equal a direct computation over all orders, and the displayed queries; bots and users are separate',
    ),
    row('FN2', 'privacy of the figures', 'groups of fewer than five users are not shown'),
    row('FN3', 'GET /proof/fairness', 'returns the last figures to anyone, computed once an hour'),
    row('FN4', 'GET /proof/fairness.csv', 'returns the same as a table'),
    row(
      'FN5',
      '/fairness',
      'shows the figures with plots, their queries and withheld figures; loading, empty, failed, full',
    ),
  ],
}
