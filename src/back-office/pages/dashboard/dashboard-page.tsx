import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Segmented } from '#ui/segmented.tsx'
import { Skeleton } from '#ui/states.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import type { Whose } from '#back-office/pages/dashboard/days.ts'
import { DaysPanels } from '#back-office/pages/dashboard/days-panels.tsx'
import { ExposurePanel } from '#back-office/pages/dashboard/exposure-panel.tsx'
import { FaultsPanel } from '#back-office/pages/dashboard/faults-panel.tsx'
import { FeedsPanel } from '#back-office/pages/dashboard/feeds-panel.tsx'
import { StateStrip } from '#back-office/pages/dashboard/state-strip.tsx'
import { SummaryStrip } from '#back-office/pages/dashboard/summary-strip.tsx'
import { SystemPanel } from '#back-office/pages/dashboard/system-panel.tsx'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

const WHOSE = ['people', 'bots', 'all'] as const

/** The dashboard of the business. Only a demo has bots, so only a demo separates users from bots. */
export function DashboardPage() {
  const { is_demo: isDemo } = useStaff()
  const [whose, setWhose] = useState<Whose>(isDemo ? 'all' : 'people')
  const summary = useStaffQuery(staffCalls.staffDashboardSummary, {}, { everyMs: 30_000 })
  return (
    <main id="content" className="flex min-w-0 flex-col gap-4 p-4 md:p-6 lg:h-dvh lg:overflow-y-auto">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="flex-1 text-title">{t('nav.dashboard')}</h1>
        {isDemo && (
          <Segmented
            label={t('dashboard.whose')}
            options={WHOSE.map((value) => ({ value, label: t(`dashboard.whose_${value}`) }))}
            value={whose}
            onChange={setWhose}
            compact
            className="w-full md:w-64"
          />
        )}
      </div>
      <section
        aria-label={t('dashboard.now')}
        aria-busy={summary.isPending}
        className="shrink-0 overflow-hidden rounded-card border border-line"
      >
        {summary.isPending ? (
          <Skeleton width="100%" height={96} />
        ) : summary.data === undefined ? (
          <LoadFailure query={summary} />
        ) : (
          <StateStrip summary={summary.data} />
        )}
      </section>
      <FaultsPanel query={summary} />
      {summary.data && (
        <section
          aria-label={t('dashboard.figures')}
          className="shrink-0 overflow-hidden rounded-card border border-line"
        >
          <SummaryStrip summary={summary.data} whose={whose} />
        </section>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
        <DaysPanels whose={whose} />
        <ExposurePanel whose={whose} />
        <FeedsPanel />
        <SystemPanel query={summary} />
      </div>
    </main>
  )
}
