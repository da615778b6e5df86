import { row } from '#test/specification/row.ts'

/** Statistics of the operator's promises, counted from stored data. */
export const FAIRNESS = {
  title: 'Fairness, counted',
  rows: [
    row(
      'FN1',
      'the figures',
      'equal a direct computation over all orders, and what the queries shown say; bots apart from people',
    ),
    row('FN2', 'privacy of the figures', 'groups of fewer than five people are not broken down'),
    row('FN3', 'GET /proof/fairness', 'answers what was last computed to anyone; once an hour anew'),
    row('FN4', 'GET /proof/fairness.csv', 'answers the same as a table'),
    row(
      'FN5',
      '/fairness',
      'shows the figures with plots, their queries and what is held back; loading, empty, failed, full',
    ),
  ],
}
