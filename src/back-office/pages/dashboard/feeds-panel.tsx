import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { FeedTable, FRESHNESS_DOT } from '#back-office/pages/dashboard/feed-table.tsx'
import { IncidentList } from '#back-office/pages/dashboard/incident-list.tsx'
import { Panel } from '#back-office/pages/dashboard/panel.tsx'
import { rejectionsText, unusedText } from '#back-office/pages/dashboard/unused-text.ts'
import { Scrolled } from '#back-office/plots/scrolled.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The age of every price, the state of its sources, and recent incidents. Problems come first. */
export function FeedsPanel() {
  const feeds = useStaffQuery(staffCalls.staffDashboardFeeds, {}, { everyMs: 5_000 })
  return (
    <Panel title={t('dashboard.feeds')} note={t('dashboard.feeds_note')} query={feeds}>
      {({ symbols, unplaced, kept_out: rejections, incidents }) => (
        <>
          <p className="flex flex-wrap gap-x-4 pb-2 text-caption text-fg-2">
            {(['fresh', 'stale', 'none', 'closed'] as const).map((state) => (
              <span key={state} className="inline-flex items-center gap-1.5">
                <i aria-hidden="true" className={cx('size-2 rounded-full', FRESHNESS_DOT[state])} />
                {t(`dashboard.feed_${state}`)}{' '}
                <b className="num font-semibold text-fg">{symbols.filter((one) => one.state === state).length}</b>
              </span>
            ))}
          </p>
          <Scrolled label={t('dashboard.feeds')} className="max-h-[300px]">
            <FeedTable symbols={symbols} />
          </Scrolled>
          <UnplacedCounts unplaced={unplaced} rejections={rejections} />
          <IncidentList incidents={incidents} />
        </>
      )}
    </Panel>
  )
}

/** Counts of unused and rejected prices that belong to no source of a symbol. Hidden while there are none. */
function UnplacedCounts({
  unplaced,
  rejections,
}: {
  unplaced: FeedHealth['unplaced']
  rejections: FeedHealth['kept_out']
}) {
  if (unplaced.length === 0 && rejections.length === 0) return null
  return (
    <ul className="pt-2 text-caption text-fg-2">
      {unplaced.map(({ provider, unused }) => (
        <li key={provider}>{t('dashboard.unused_unplaced', { provider, counts: unusedText(unused) })}</li>
      ))}
      {rejections.length > 0 && <li>{t('dashboard.kept_out', { counts: rejectionsText(rejections) })}</li>}
    </ul>
  )
}
