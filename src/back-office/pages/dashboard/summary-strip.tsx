import type { DashboardSummary } from '#contract/back-office/dashboard.ts'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { age, isOverdue, money } from '#back-office/i18n/format.ts'
import type { Whose } from '#back-office/pages/dashboard/days.ts'
import { whole } from '#back-office/pages/dashboard/short-money.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** The most important figures of the dashboard. */
export function SummaryStrip({ summary, whose }: { summary: DashboardSummary; whose: Whose }) {
  const { users, open, house } = summary
  const pick = (people: number, bots: number) => (whose === 'people' ? people : whose === 'bots' ? bots : people + bots)
  return (
    <dl className="grid grid-cols-2 gap-px bg-line lg:grid-cols-3 xl:grid-cols-6">
      <QueueFigure
        name={t('dashboard.deposits_waiting')}
        queue={summary.deposits}
        href="/admin/deposits"
        may="deposits.see"
      />
      <QueueFigure
        name={t('dashboard.withdrawals_waiting')}
        queue={summary.withdrawals}
        href="/admin/withdrawals"
        may="withdrawals.see"
      />
      <Figure name={t('dashboard.users')} value={whole(pick(users.total, users.bots))}>
        {t('dashboard.users_note', {
          active: whole(pick(users.active_day, users.bots_active_day)),
          day: whole(pick(users.new_day, users.bots_new_day)),
          week: whole(pick(users.new_week, users.bots_new_week)),
        })}
      </Figure>
      <Figure name={t('dashboard.open')} value={money(pick(open.stakes, open.bot_stakes))}>
        {t('dashboard.open_note', { count: pick(open.orders, open.bot_orders) })}
      </Figure>
      <Figure name={t('dashboard.house_today')} value={money(pick(house.today, house.bots_today))}>
        {t('dashboard.house_note')}
      </Figure>
      <Figure name={t('dashboard.house_total')} value={money(pick(house.total, house.bots_total))}>
        {t(summary.is_complete ? 'dashboard.house_total_note' : 'dashboard.counting')}
      </Figure>
    </dl>
  )
}

function QueueFigure({
  name,
  queue,
  href,
  may,
}: {
  name: string
  queue: DashboardSummary['deposits']
  href: string
  may: 'deposits.see' | 'withdrawals.see'
}) {
  const isLate = queue.oldest_at !== null && isOverdue(queue.oldest_at)
  const note =
    queue.oldest_at === null
      ? t('dashboard.queue_empty')
      : t('dashboard.queue_note', { age: age(queue.oldest_at), amount: money(queue.amount) })
  return (
    <Figure name={useMay(may) ? <Link href={href}>{name}</Link> : name} value={whole(queue.waiting)} isLate={isLate}>
      {note}
      {queue.overdue > 0 && <b className="block text-warn">{t('dashboard.overdue', { count: queue.overdue })}</b>}
    </Figure>
  )
}

function Figure({
  name,
  value,
  isLate = false,
  children,
}: {
  name: ReactNode
  value: string
  isLate?: boolean
  children: ReactNode
}) {
  return (
    <div className="bg-surface p-4">
      <dt className="text-caption font-medium text-fg-2">{name}</dt>
      <dd className={cx('num text-heading', isLate && 'text-warn')}>{value}</dd>
      <dd className="text-caption text-fg-3">{children}</dd>
    </div>
  )
}
