import { row, testsIn } from '#test/specification/row.ts'

const server = testsIn('src/server/proof/fairness/fairness.test.ts')
const page = testsIn('src/web/screens/fairness/fairness-screen.test.tsx')

/** What the operator's promises come to, counted from what is stored. */
export const FAIRNESS = {
  title: 'Fairness, counted',
  rows: [
    row(
      'the figures',
      'equal a direct computation over all orders, and what the queries shown say; bots apart from people',
      server(
        'the figures > equal a direct computation over all orders, wherever counting was cut off, and what the queries shown say',
      ),
      server('the figures > find an order that took longer to its commit than anyone waits when its day is closed'),
      server('the figures > keep bots apart from people'),
      server('the figures > tell how long withdrawals took and what is pending'),
      server('the figures > name the payouts on offer and what has to be won to lose nothing'),
    ),
    row(
      'privacy of the figures',
      'groups of fewer than five people are not broken down',
      server('the figures > are held back of fewer than five people, whoever is among them'),
      server('the figures > put what few people did together, and leave it out when those are too few as well'),
      server('the figures > hold back how long the withdrawals of fewer than five people took'),
    ),
    row(
      'GET /proof/fairness',
      'answers what was last computed to anyone; once an hour anew',
      server('GET /proof/fairness > answers an empty installation with nothing'),
      server('GET /proof/fairness > is computed soon after a start, then once an hour'),
      server('GET /proof/fairness > says so while nothing has been computed'),
    ),
    row(
      'GET /proof/fairness.csv',
      'answers the same as a table',
      server('GET /proof/fairness > is a table as well, one value a line'),
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
