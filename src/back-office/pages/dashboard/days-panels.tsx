import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { money } from '#back-office/i18n/format.ts'
import { barsByDay, sumMarkets, type Whose } from '#back-office/pages/dashboard/days.ts'
import { Panel } from '#back-office/pages/dashboard/panel.tsx'
import { shortMoney, whole } from '#back-office/pages/dashboard/short-money.ts'
import { BarPlot, type Series } from '#back-office/plots/bar-plot.tsx'
import { t } from '#back-office/i18n/t.ts'

const MARKETS: readonly Series[] = [
  { key: 'crypto', label: t('dashboard.crypto'), tone: 'brand' },
  { key: 'us_stocks', label: t('dashboard.us_stocks'), tone: 'soft' },
  { key: 'us_fx', label: t('dashboard.us_fx'), tone: 'line' },
]
const HOUSE: readonly Series[] = [{ key: 'result', label: t('dashboard.house'), tone: 'brand' }]
const PAYMENTS: readonly Series[] = [
  { key: 'deposit', label: t('dashboard.deposits'), tone: 'brand' },
  { key: 'withdrawal', label: t('dashboard.withdrawals'), tone: 'flame' },
]
const ACCOUNTS: readonly Series[] = [{ key: 'account', label: t('dashboard.accounts'), tone: 'brand' }]

/** The figures of the last 30 days. */
export function DaysPanels({ whose }: { whose: Whose }) {
  const days = useStaffQuery(staffCalls.staffDashboardDays, {})
  const inMoney = { barName: t('dashboard.day'), format: money, formatShort: shortMoney }
  return (
    <>
      <Panel title={t('dashboard.stakes_by_day')} note={t('dashboard.stakes_by_day_note')} query={days}>
        {(answer) => (
          <BarPlot
            label={t('dashboard.stakes_by_day')}
            bars={barsByDay(answer, whose, ({ amount }) => amount)}
            series={MARKETS}
            {...inMoney}
          />
        )}
      </Panel>
      <Panel title={t('dashboard.house_by_day')} note={t('dashboard.house_by_day_note')} query={days}>
        {(answer) => (
          <BarPlot
            label={t('dashboard.house_by_day')}
            bars={sumMarkets(barsByDay(answer, whose, ({ result }) => result))}
            series={HOUSE}
            {...inMoney}
          />
        )}
      </Panel>
      <Panel title={t('dashboard.payments_by_day')} note={t('dashboard.payments_by_day_note')} query={days}>
        {(answer) => (
          <BarPlot
            label={t('dashboard.payments_by_day')}
            bars={barsByDay(answer, whose, ({ amount }) => amount)}
            series={PAYMENTS}
            kind="grouped"
            {...inMoney}
          />
        )}
      </Panel>
      <Panel title={t('dashboard.accounts_by_day')} note={t('dashboard.accounts_by_day_note')} query={days}>
        {(answer) => (
          <BarPlot
            label={t('dashboard.accounts_by_day')}
            bars={barsByDay(answer, whose, ({ count }) => count)}
            series={ACCOUNTS}
            {...inMoney}
            format={whole}
            formatShort={whole}
          />
        )}
      </Panel>
    </>
  )
}
