import { row } from '#test/specification/row.ts'

/** The public list of price incidents and the public price log. */
export const INCIDENTS = {
  title: 'Incidents, published',
  rows: [
    row(
      'IN1',
      'GET /proof/incidents',
      'voids, gaps and incidents of feeds with symbol, time, cause and the number of orders refunded, newest first',
    ),
    row('IN2', 'paging of incidents', 'without a gap or a repeat, also while new incidents arrive'),
    row('IN3', 'privacy of incidents', 'reveals neither users nor stakes'),
    row('IN4', 'GET /proof/heads', 'the hash at the end of each day of the log'),
    row(
      'IN5',
      '/incidents',
      'the list with its pages and a filter, the days of the log with their files; loading, empty, failed, full',
    ),
  ],
}
