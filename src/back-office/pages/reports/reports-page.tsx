import Printer from 'lucide-react/icons/printer'
import { useState } from 'react'
import { REPORT_DIMENSIONS, type ReportDimension } from '#contract/back-office/reports.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { ExportLinks } from '#back-office/list/export-links.tsx'
import { NotLoaded } from '#back-office/list/load-failure.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { BreakdownView } from '#back-office/pages/reports/breakdown-view.tsx'
import { ClosePeriod } from '#back-office/pages/reports/close-period.tsx'
import { PeriodBar } from '#back-office/pages/reports/period-bar.tsx'
import { WHOSE, type Whose } from '#back-office/pages/reports/report-figures.ts'
import { periodOf, type ShownPeriod } from '#back-office/pages/reports/report-period.ts'
import { SummaryView } from '#back-office/pages/reports/summary-view.tsx'

const SUMMARY = 'summary'
const TABS = [SUMMARY, ...REPORT_DIMENSIONS] as const

/** Reports: the figures of a period from the ledger, broken down, closed, exported and printed. */
export function ReportsPage() {
  const [filters, setFilter] = useFilters(['preset', 'from', 'to', 'zone', 'whose', 'by'])
  const [now] = useState(() => Date.now())
  const zone = filters.zone === '' ? 'UTC' : filters.zone
  const period = periodOf(filters.preset, { from: filters.from, to: filters.to, zone }, now)
  const whose = WHOSE.find((one) => one === filters.whose) ?? 'people'
  const dimension = REPORT_DIMENSIONS.find((one) => one === filters.by) ?? null
  return (
    <main
      id="content"
      data-print
      className="flex min-w-0 flex-1 flex-col pb-8 lg:h-dvh lg:overflow-y-auto print:h-auto"
    >
      <div className="flex flex-wrap items-center gap-3 px-4 pt-4 md:px-6">
        <div className="min-w-0 flex-1 basis-full md:basis-0">
          <h1 className="text-title">{t('nav.reports')}</h1>
          <p className="num text-caption text-fg-3">{t('reports.heading', { ...period })}</p>
        </div>
        <span className="flex flex-wrap gap-2 print:hidden">
          <Button
            variant="secondary"
            size="s"
            icon={<Printer size={16} aria-hidden="true" />}
            onClick={() => globalThis.print()}
          >
            {t('reports.print')}
          </Button>
          <ExportLinks
            call={dimension === null ? staffCalls.staffReportSummary : staffCalls.staffReportBy}
            params={dimension === null ? {} : { dimension }}
            filters={{ ...period }}
          />
        </span>
      </div>
      <PeriodBar preset={filters.preset} period={period} whose={whose} onChange={setFilter} />
      <Tabs
        id="reports"
        label={t('reports.dimension')}
        tabs={TABS.map((value) => ({ value, label: t(`reports.by_${value}`) }))}
        value={dimension ?? SUMMARY}
        onChange={(value) => setFilter('by', value === SUMMARY ? '' : value)}
        size="s"
        className="mx-4 shrink-0 md:mx-6 print:hidden"
      />
      <TabPanel id="reports" value={dimension ?? SUMMARY} className="flex flex-col gap-4 px-4 pt-4 md:px-6">
        {dimension === null ? (
          <Summary period={period} whose={whose} />
        ) : (
          <Breakdown period={period} dimension={dimension} whose={whose} />
        )}
      </TabPanel>
    </main>
  )
}

function Summary({ period, whose }: { period: ShownPeriod; whose: Whose }) {
  const query = useStaffQuery(staffCalls.staffReportSummary, { query: queryOf(period) })
  if (query.data === undefined) return <NotLoaded query={query} count={8} />
  if (query.data.counted_until !== null) return <Counting until={query.data.counted_until} />
  return (
    <>
      <SummaryView report={query.data} whose={whose} />
      <ClosePeriod report={query.data} />
    </>
  )
}

interface BreakdownProps {
  period: ShownPeriod
  dimension: ReportDimension
  whose: Whose
}

function Breakdown({ period, dimension, whose }: BreakdownProps) {
  const query = useStaffQuery(staffCalls.staffReportBy, { params: { dimension }, query: queryOf(period) })
  if (query.data === undefined) return <NotLoaded query={query} count={8} />
  if (query.data.counted_until !== null) return <Counting until={query.data.counted_until} />
  return <BreakdownView dimension={dimension} report={query.data} whose={whose} />
}

function Counting({ until }: { until: string }) {
  return <Alert tone="info">{t('reports.counting', { time: time(until) })}</Alert>
}

function queryOf({ from, to, zone }: ShownPeriod) {
  return { from, to, zone }
}
