import type { UseQueryResult } from '@tanstack/react-query'
import type { DashboardSummary } from '#contract/back-office/dashboard.ts'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { duration, money, shortTime } from '#back-office/i18n/format.ts'
import { Panel } from '#back-office/pages/dashboard/panel.tsx'
import { whole } from '#back-office/pages/dashboard/short-money.ts'
import { Scrolled } from '#back-office/plots/scrolled.tsx'
import { t } from '#back-office/i18n/t.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { Pill } from '#ui/pill.tsx'
import { useMay } from '#back-office/session/staff.ts'
import type { ReactNode } from 'react'

type Faults = DashboardSummary['faults']
type Event = Faults['events'][number]

/** Interruptions of trading: void orders, crashes and downtime, then faults of the database and the clock. */
export function FaultsPanel({ query }: { query: UseQueryResult<DashboardSummary> }) {
  return (
    <Panel title={t('dashboard.faults')} query={query} className="xl:col-span-2">
      {({ faults }) => (
        <>
          <Figures faults={faults} />
          {isQuiet(faults) && <p className="pt-2 text-fg-2">{t('dashboard.faults_none')}</p>}
          {faults.events.length > 0 && (
            <Scrolled label={t('dashboard.faults')} className="mt-2 max-h-48">
              <ul>
                {faults.events.map((event) => (
                  <EventRow key={`${event.kind} ${event.at} ${event.server ?? ''}`} event={event} />
                ))}
              </ul>
            </Scrolled>
          )}
        </>
      )}
    </Panel>
  )
}

function Figures({ faults }: { faults: Faults }) {
  const {
    voids,
    void_symbols: symbols,
    crashes,
    down_seconds: down,
    late_results: results,
    late_withdrawals: late,
  } = faults
  const maySeeOrders = useMay('orders.see')
  const maySeeMoney = useMay('withdrawals.see')
  return (
    <Facts>
      <Figure name={t('dashboard.faults_voids')} count={voids} text={whole(voids)} />
      {symbols.map(({ code, orders, stakes }) => (
        <Fact
          key={code}
          name={maySeeOrders ? <Link href={`/admin/orders?state=void&symbol=${code}`}>{code}</Link> : code}
        >
          {t('dashboard.faults_void_symbol', { count: orders, stakes: money(stakes) })}
        </Fact>
      ))}
      <Figure name={t('dashboard.faults_crashes')} count={crashes} text={whole(crashes)} />
      <Figure name={t('dashboard.faults_down')} count={down} text={seconds(down)} />
      <Figure
        name={t('dashboard.faults_late_results')}
        count={results.orders}
        text={
          results.orders === 0
            ? whole(0)
            : t('dashboard.faults_late_longest', {
                count: results.orders,
                wait: duration(results.longest_seconds * 1_000),
              })
        }
      />
      <Figure
        name={
          maySeeMoney ? (
            <Link href="/admin/withdrawals">{t('dashboard.faults_late_money')}</Link>
          ) : (
            t('dashboard.faults_late_money')
          )
        }
        count={late.count}
        text={
          late.count === 0
            ? whole(0)
            : t('dashboard.faults_late_sum', { count: late.count, amount: money(late.amount) })
        }
      />
    </Facts>
  )
}

function Figure({ name, count, text }: { name: ReactNode; count: number; text: string }) {
  return (
    <Fact name={name}>
      <b className={cx('num font-semibold', count > 0 ? 'text-danger' : 'text-ok')}>{text}</b>
    </Fact>
  )
}

function EventRow({ event: { kind, at, until, lasts, seconds: off, server } }: { event: Event }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 border-t border-line py-1.5 text-label">
      <b className="font-semibold">{t(`dashboard.fault_${kind}`)}</b>
      {off !== null && <span className="num">{seconds(off)}</span>}
      {server !== null && <span className="font-list min-w-0 break-words">{server}</span>}
      {lasts && <Pill tone="warn">{t('dashboard.incident_lasts')}</Pill>}
      {until !== null && (
        <span className="text-caption text-fg-3">
          {t('dashboard.incident_ended', { duration: seconds((Date.parse(until) - Date.parse(at)) / 1_000) })}
        </span>
      )}
      <time dateTime={at} className="num ms-auto text-caption text-fg-3">
        {shortTime(at)}
      </time>
    </li>
  )
}

function isQuiet({
  voids,
  crashes,
  down_seconds: down,
  late_results: results,
  late_withdrawals: late,
  events,
}: Faults) {
  return [voids, crashes, down, results.orders, late.count, events.length].every((count) => count === 0)
}

function seconds(count: number): string {
  return t('dashboard.seconds', { count: count.toFixed(1) })
}
