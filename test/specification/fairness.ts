import { row, testsIn } from '#test/specification/row.ts'

const server = testsIn('src/server/proof/fairness/fairness.test.ts')
const page = testsIn('src/web/screens/fairness/fairness-screen.test.tsx')

/** Statistics of the operator's promises, counted from stored data. */
export const FAIRNESS = {
  title: 'Fairness, counted',
  rows: [
    row(
      'the figures',
      'equal a direct computation over all orders, and what the queries shown say; bots apart from people',
      server(
        'the figures > equal a direct computation over all orders and the published queries, wherever counting was cut off',
      ),
      server('the figures > include an order with a very late commit when its day is closed'),
      server('the figures > keep bots apart from other users'),
      server('the figures > include withdrawal times and pending withdrawals, without those that users cancelled'),
      server('the figures > include the payouts on offer and the win rate needed to break even'),
    ),
    row(
      'privacy of the figures',
      'groups of fewer than five people are not broken down',
      server('the figures > stay hidden for fewer than five users'),
      server('the figures > merge the lines of few users, and omit the merged line when it has too few users as well'),
      server('the figures > withhold withdrawal times of fewer than five users'),
    ),
    row(
      'GET /proof/fairness',
      'answers what was last computed to anyone; once an hour anew',
      server('GET /proof/fairness > answers an empty installation without figures'),
      server('GET /proof/fairness > computes the figures soon after a start, then once an hour'),
      server('GET /proof/fairness > answers that nothing has been computed yet'),
    ),
    row(
      'GET /proof/fairness.csv',
      'answers the same as a table',
      server('GET /proof/fairness > serves CSV as well, with one value per line'),
    ),
    row(
      '/fairness',
      'shows the figures with plots, their queries and what is held back; loading, empty, failed, full',
      page('shows how orders ended beside the break-even rate, in total and by symbol'),
      page('shows when figures are withheld, and shows them with enough users'),
      page('shows the query behind a figure and offers all figures as a table'),
      page('shows a message while no figures are computed'),
      page('offers a retry when loading fails'),
    ),
  ],
}
