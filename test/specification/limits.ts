import { row } from '#test/specification/row.ts'

/** Limits and breaks that users set for themselves. */
export const LIMITS = {
  title: 'Own limits and breaks',
  rows: [
    row('US1.1', 'parallel orders against an own limit', 'open as many as fit, whatever the interleaving'),
    row('US1.2', 'a tightening that has answered', 'holds for every order that commits afterwards'),
    row('US1.3', 'the room of a window', 'equals the rule computed from orders, and is never above it'),
    row(
      'US1.4',
      'a looser limit',
      'waits 24 hours by the clock of the database, then for a confirmation, at most 7 days',
    ),
    row('US1.5', 'shortening a break or raising a limit', 'is refused to every call and to SQL of the server'),
    row('US1.6', 'a break', 'refuses orders and deposits, keeps everything else open, and ends as chosen'),
    row('US1.7', 'a limit below its use', 'holds at once; parallel deposits never exceed theirs'),
    row('US1.8', 'a reality check', 'comes after the interval, is answered once, and holds back orders until then'),
    row('US1.9', 'a stop between two statements of a change', 'leaves all of it or nothing, with one notice or none'),
  ],
}
