import { row, testsIn } from '#test/specification/row.ts'

const server = testsIn('src/server/proof/incidents/incidents.test.ts')
const page = testsIn('src/web/screens/incidents/incidents-screen.test.tsx')
const log = testsIn('src/server/proof/receipts/receipts.test.ts')

/** The public list of price incidents and the public price log. */
export const INCIDENTS = {
  title: 'Incidents, published',
  rows: [
    row(
      'GET /proof/incidents',
      'voids, gaps and incidents of feeds with symbol, time, cause and the number of orders refunded, newest first',
      server('void orders > appear as a count per expiry without a price, without revealing their users'),
      server("incidents of feeds > show symbol, duration and number of orders, but not the feed's own text"),
      server('paging > validates cached pages and shares the newest page for some seconds'),
      server('paging > refuses malformed queries and clients that call too often'),
    ),
    row(
      'paging of incidents',
      'without a hole or a repeat, also while more happens',
      server('paging > skips and repeats nothing, although many incidents start at one instant and more arrive'),
    ),
    row(
      'privacy of incidents',
      'nothing tells whose the orders were or what was staked',
      server('void orders > appear as a count per expiry without a price, without revealing their users'),
    ),
    row(
      'GET /proof/heads',
      'the hash at the end of each day of the log',
      log('records the head of each finished day of the log'),
    ),
    row(
      '/incidents',
      'the list with its pages and a filter, the days of the log with their files; loading, empty, failed, full',
      page('shows the kind, time and duration of each incident, and how many orders were refunded'),
      page('pages to older incidents and back, and restarts when a symbol is chosen'),
      page('lists the days of the log with their hash, and a file for each kept day'),
      page('offers a retry when loading fails'),
    ),
  ],
}
