import type { ReportBreakdown, ReportDimension } from '#contract/back-office/reports.ts'
import { REPORT_LINES, type ReportLine } from '#core/reports/report-lines.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { Empty } from '#ui/states.tsx'
import { cx } from '#ui/cx.ts'
import { money } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { figureOf, rowName, type Whose } from '#back-office/pages/reports/report-figures.ts'

interface BreakdownViewProps {
  dimension: ReportDimension
  report: ReportBreakdown
  whose: Whose
}

type Row = ReportBreakdown['rows'][number]

/** The figures of a period by the values of a dimension. Lines without any amount have no column. */
export function BreakdownView({ dimension, report: { rows }, whose }: BreakdownViewProps) {
  const of = ({ lines: { people, bots } }: Row, line: ReportLine) =>
    figureOf({ people: people[line], bots: bots[line] }, whose)
  const lines = REPORT_LINES.filter((line) => rows.some((row) => of(row, line) !== 0))
  const shown = dimension === 'day' ? rows : rows.filter((row) => lines.some((line) => of(row, line) !== 0))
  if (lines.length === 0) return <Empty title={t('reports.none')} />
  const total = (line: ReportLine) => rows.reduce((sum, row) => sum + Math.round(of(row, line) * 100), 0) / 100
  return (
    <section
      aria-label={t(`reports.by_${dimension}`)}
      className="overflow-hidden rounded-card border border-line bg-surface"
    >
      <div ref={fadeEnds} className="scroll-x">
        <table aria-label={t(`reports.by_${dimension}`)} className="w-full">
          <thead>
            <tr className="border-b border-line text-caption text-fg-3">
              <Head isFirst>{t(`reports.head_${dimension}`)}</Head>
              {lines.map((line) => (
                <Head key={line}>{t(`reports.line_${line}`)}</Head>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.value} className="border-b border-line">
                <Name>{rowName(dimension, row)}</Name>
                {lines.map((line) => (
                  <Amount key={line}>{of(row, line)}</Amount>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="font-semibold">
              <Name>{t('reports.total')}</Name>
              {lines.map((line) => (
                <Amount key={line}>{total(line)}</Amount>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

function Head({ isFirst = false, children }: { isFirst?: boolean; children: string }) {
  return (
    <th
      scope="col"
      className={cx(
        'px-3 py-2.5 font-medium whitespace-nowrap first:ps-5 last:pe-5',
        isFirst ? 'text-start' : 'text-end',
      )}
    >
      {children}
    </th>
  )
}

function Name({ children }: { children: string }) {
  return (
    <th scope="row" className="sticky start-0 bg-surface py-2.5 ps-5 pe-3 text-start font-list whitespace-nowrap">
      {children}
    </th>
  )
}

function Amount({ children }: { children: number }) {
  return <td className="num px-3 py-2.5 text-end whitespace-nowrap last:pe-5">{money(children)}</td>
}
