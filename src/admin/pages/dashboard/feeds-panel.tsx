import type { FeedHealth } from '#contract/admin/dashboard.ts'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { useStaffQuery } from '#admin/api/queries.ts'
import { Panel } from '#admin/pages/dashboard/panel.tsx'
import { Scrolled } from '#admin/plots/scrolled.tsx'
import { t } from '#admin/t.ts'

type Row = FeedHealth['symbols'][number]

const DOT = { fresh: 'bg-ok', stale: 'bg-warn', none: 'bg-danger', closed: 'bg-line-strong' } as const

/** How fresh every price is; what is wrong stands first. */
export function FeedsPanel() {
  const feeds = useStaffQuery(staffCalls.adminDashboardFeeds, {}, { everyMs: 5_000 })
  return (
    <Panel title={t('dashboard.feeds')} note={t('dashboard.feeds_note')} query={feeds}>
      {({ symbols }) => (
        <>
          <p className="flex flex-wrap gap-x-4 pb-2 text-caption text-fg-2">
            {(['fresh', 'stale', 'none', 'closed'] as const).map((state) => (
              <span key={state} className="inline-flex items-center gap-1.5">
                <i aria-hidden="true" className={cx('size-2 rounded-full', DOT[state])} />
                {t(`dashboard.feed_${state}`)}{' '}
                <b className="num font-semibold text-fg">{symbols.filter((one) => one.state === state).length}</b>
              </span>
            ))}
          </p>
          <Scrolled label={t('dashboard.feeds')} className="max-h-[300px]">
            <FeedTable symbols={symbols} />
          </Scrolled>
        </>
      )}
    </Panel>
  )
}

function FeedTable({ symbols }: { symbols: readonly Row[] }) {
  return (
    <table className="w-full text-label">
      <thead>
        <tr className="text-caption text-fg-3">
          <th scope="col" className="py-1.5 text-start font-medium">
            {t('dashboard.symbol')}
          </th>
          <th scope="col" className="py-1.5 text-start font-medium">
            {t('common.state')}
          </th>
          <th scope="col" className="py-1.5 text-end font-medium">
            {t('dashboard.age')}
          </th>
          <th scope="col" className="py-1.5 ps-4 text-start font-medium">
            {t('dashboard.source')}
          </th>
        </tr>
      </thead>
      <tbody>
        {symbols.map(({ code, state, age_ms: ageMs, source }) => (
          <tr key={code} className="border-t border-line">
            <th scope="row" className="py-1.5 text-start font-list">
              {code}
            </th>
            <td className="py-1.5">
              <span className="inline-flex items-center gap-1.5">
                <i aria-hidden="true" className={cx('size-2 rounded-full', DOT[state])} />
                {t(`dashboard.feed_${state}`)}
              </span>
            </td>
            <td className="num py-1.5 text-end">{ageMs === null ? '–' : tickAge(ageMs)}</td>
            <td className="py-1.5 ps-4 text-fg-2">{source ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function tickAge(ms: number): string {
  if (ms < 60_000) return t('dashboard.seconds', { count: (ms / 1_000).toFixed(1) })
  return t('age.minutes', { count: Math.floor(ms / 60_000) })
}
