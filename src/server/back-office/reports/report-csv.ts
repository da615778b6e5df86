import type { ReportBreakdown, ReportSummary } from '#contract/back-office/reports.ts'
import { REPORT_LINES } from '#core/reports/report-lines.ts'
import { csvLine } from '#server/platform/http/csv.ts'

const WHOSE = ['people', 'bots'] as const
const USER_LINES = ['new', 'active', 'depositing', 'first_deposits'] as const
const MARK = '\uFEFF'

/**
 * Yields a summary as CSV: one row for each line, position and user figure, and one row for the difference to the
 * ledger.
 */
export function* summaryCsv(report: ReportSummary, hasMark: boolean): Generator<string> {
  const { lines, positions, users, difference } = report
  yield `${hasMark ? MARK : ''}${csvLine(['section', 'name', ...WHOSE])}`
  yield* head(report)
  for (const line of REPORT_LINES) yield csvLine(['lines', line, ...WHOSE.map((whose) => cents(lines[whose][line]))])
  for (const when of ['begin', 'end'] as const) {
    for (const { account, ...position } of positions)
      yield csvLine([`positions_${when}`, account, ...WHOSE.map((whose) => cents(position[when][whose]))])
  }
  for (const line of USER_LINES) yield csvLine(['users', line, ...WHOSE.map((whose) => users[whose][line])])
  yield csvLine(['ledger', 'difference', difference === null ? '' : cents(difference), ''])
}

function* head({ from, to, zone, closed }: ReportSummary): Generator<string> {
  yield csvLine(['period', 'from', from, ''])
  yield csvLine(['period', 'to', to, ''])
  yield csvLine(['period', 'zone', zone, ''])
  yield csvLine(['period', 'closed_at', closed?.at ?? '', ''])
  yield csvLine(['period', 'sha256', closed?.sha256 ?? '', ''])
}

/** Yields a breakdown as CSV: for each value a row of users and one of bots. */
export function* breakdownCsv({ rows }: ReportBreakdown, hasMark: boolean): Generator<string> {
  yield `${hasMark ? MARK : ''}${csvLine(['value', 'name', 'whose', ...REPORT_LINES])}`
  for (const { value, name, lines } of rows) {
    for (const whose of WHOSE)
      yield csvLine([value, name, whose, ...REPORT_LINES.map((line) => cents(lines[whose][line]))])
  }
}

function cents(amount: number): string {
  return amount.toFixed(2)
}
