import type { ReactNode } from 'react'
import type { ReportSummary } from '#contract/back-office/reports.ts'
import { REPORT_LINES, type ReportLine } from '#core/reports/report-lines.ts'
import { Alert } from '#ui/alert.tsx'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { money } from '#back-office/i18n/format.ts'
import { accountName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'
import { figureOf, type Whose } from '#back-office/pages/reports/report-figures.ts'

/** The last line of each group of lines. */
const GROUP_ENDS: ReadonlySet<ReportLine> = new Set(['house_result', 'fees_sale', 'made_good', 'came_back'])
const USER_LINES = ['new', 'active', 'depositing', 'first_deposits'] as const

interface SummaryViewProps {
  report: ReportSummary
  whose: Whose
}

/** The figures of a period, its users, the positions of all accounts, and the difference to the ledger. */
export function SummaryView({ report, whose }: SummaryViewProps) {
  const { difference, lines, users } = report
  return (
    <>
      {difference !== null && difference !== 0 && <Alert tone="danger">{t('reports.differs')}</Alert>}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Part title={t('reports.lines')} id="lines">
            <table aria-labelledby="lines" className="w-full">
              <tbody>
                {REPORT_LINES.map((line) => (
                  <Line
                    key={line}
                    isEnd={GROUP_ENDS.has(line)}
                    isStrong={line === 'house_result'}
                    name={t(`reports.line_${line}`)}
                  >
                    {money(figureOf({ people: lines.people[line], bots: lines.bots[line] }, whose))}
                  </Line>
                ))}
              </tbody>
            </table>
            <p className="pt-3 text-caption text-fg-3">{t('reports.fees_note')}</p>
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Part title={t('reports.positions')} id="positions">
            <Positions report={report} whose={whose} />
          </Part>
          <Part title={t('reports.users')} id="users">
            <table aria-labelledby="users" className="w-full">
              <tbody>
                {USER_LINES.map((line) => (
                  <Line key={line} name={t(`reports.users_${line}`)}>
                    {figureOf({ people: users.people[line], bots: users.bots[line] }, whose).toLocaleString('en-US')}
                  </Line>
                ))}
              </tbody>
            </table>
          </Part>
        </div>
      </div>
      {difference !== null && <Difference amount={difference} />}
    </>
  )
}

function Difference({ amount }: { amount: number }) {
  return (
    <p
      data-difference={amount === 0 ? 'none' : 'some'}
      className={cx(
        'card flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4 text-heading font-semibold',
        amount === 0 ? 'text-ok' : 'text-danger',
      )}
    >
      <span>{t('reports.difference')}</span>
      <span className="num">{money(amount)}</span>
    </p>
  )
}

function Part({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <h2 id={id} className="pb-2 text-heading font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface LineProps {
  name: string
  isStrong?: boolean
  /** Whether the line below this row is stronger, because a group of lines ends here. */
  isEnd?: boolean
  children: ReactNode
}

function Line({ name, isStrong = false, isEnd = false, children }: LineProps) {
  return (
    <tr className={cx('border-b last:border-b-0', isEnd ? 'border-line-strong' : 'border-line')}>
      <th scope="row" className={cx('py-2 pe-3 text-start', isStrong ? 'font-semibold' : 'font-normal text-fg-2')}>
        {name}
      </th>
      <td className={cx('num py-2 text-end whitespace-nowrap', isStrong && 'font-semibold')}>{children}</td>
    </tr>
  )
}

function Positions({ report: { positions }, whose }: SummaryViewProps) {
  return (
    <div ref={fadeEnds} className="scroll-x">
      <table aria-labelledby="positions" className="w-full">
        <thead>
          <tr className="border-b border-line text-caption text-fg-3">
            <th scope="col" className="py-2 pe-3 text-start font-medium">
              {t('reports.account')}
            </th>
            {(['begin', 'end'] as const).map((when) => (
              <th key={when} scope="col" className="py-2 ps-3 text-end font-medium">
                {t(`reports.${when}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => (
            <tr key={position.account} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-2 pe-3 text-start font-normal text-fg-2">
                {accountName(position.account)}
              </th>
              {(['begin', 'end'] as const).map((when) => (
                <td key={when} className="num py-2 ps-3 text-end whitespace-nowrap">
                  {money(figureOf(position[when], whose))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
