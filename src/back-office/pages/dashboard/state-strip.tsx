import type { ReactNode } from 'react'
import type { DashboardSummary } from '#contract/back-office/dashboard.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { whole } from '#back-office/pages/dashboard/short-money.ts'
import { t } from '#back-office/i18n/t.ts'

const LEDGER = { clean: 'text-ok', broken: 'text-danger', unchecked: 'text-warn' } as const

/** Whether the site works now: orders, ledger, open alerts. */
export function StateStrip({ summary }: { summary: DashboardSummary }) {
  const { takes_orders: takesOrders, ledger } = summary
  const alerts = useStaffQuery(staffCalls.staffCounts, {}).data?.alerts ?? 0
  return (
    <dl className="grid grid-cols-1 gap-px bg-line md:grid-cols-3">
      <State name={t('dashboard.orders_taken')} tone={takesOrders ? 'text-ok' : 'text-danger'}>
        {t(takesOrders ? 'dashboard.yes' : 'dashboard.no')}
      </State>
      <State name={t('dashboard.ledger')} tone={LEDGER[ledger.state]}>
        {t(`dashboard.ledger_${ledger.state}`)}
      </State>
      <State
        name={<Link href="/admin/alerts">{t('dashboard.alerts_open')}</Link>}
        tone={alerts > 0 ? 'text-danger' : 'text-ok'}
      >
        {whole(alerts)}
      </State>
    </dl>
  )
}

function State({ name, tone, children }: { name: ReactNode; tone: string; children: ReactNode }) {
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-caption font-medium text-fg-2">{name}</dt>
      <dd className={cx('text-body font-semibold', tone)}>{children}</dd>
    </div>
  )
}
