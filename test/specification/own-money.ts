import { row } from '#test/specification/row.ts'

/** The figures and the statement of a user. */
export const OWN_MONEY = {
  title: 'Own figures and statement',
  rows: [
    row('US2.1', 'sums of a statement', 'opening + rows = closing = the ledger, in any period and zone; periods join'),
    row('US2.2', 'own figures', 'equal a naive computation; no rate without its break-even rate'),
    row(
      'US2.3',
      'statement files',
      'slow or hanging readers hold neither a slot nor a transaction; nothing newer is in the file',
    ),
    row('US2.4', 'changed statement files', 'each change has its verdict, in the browser and on the command line'),
    row(
      'US2.5',
      'a statement that differs from the ledger',
      'gives an alarm instead of a statement; no user can request the statement of another',
    ),
    row('US2.6', 'print of a statement', 'has rows, totals and verdict in any language, black on white'),
    row('US2.7', 'texts of the operator', 'stay text on the page, in the file and in a spreadsheet'),
  ],
}
