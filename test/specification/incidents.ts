import { row, testsIn } from '#test/specification/row.ts'

const server = testsIn('src/server/proof/incidents/incidents.test.ts')
const page = testsIn('src/web/screens/incidents/incidents-screen.test.tsx')
const log = testsIn('src/server/proof/receipts/receipts.test.ts')

/** What went wrong with prices, and the log of them, for anyone. */
export const INCIDENTS = {
  title: 'Incidents, published',
  rows: [
    row(
      'GET /proof/incidents',
      'voids, gaps and incidents of feeds with symbol, time, cause and the number of orders refunded, newest first',
      server('orders that got their stake back > are counted with the expiry that had no price'),
      server('what feeds noted > is told with its symbol, its length and the orders of that time'),
      server('page after page > keeps an answer for who has it, and shares the newest for some seconds'),
      server('page after page > refuses what it cannot read, and who asks too often'),
    ),
    row(
      'paging of incidents',
      'without a hole or a repeat, also while more happens',
      server('page after page > leaves no hole and says nothing twice'),
    ),
    row(
      'privacy of incidents',
      'nothing tells whose the orders were or what was staked',
      server('orders that got their stake back > are counted with the expiry that had no price'),
    ),
    row(
      'GET /proof/heads',
      'the hash at the end of each day of the log',
      log('notes where each day of the log ended, once it is over'),
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
