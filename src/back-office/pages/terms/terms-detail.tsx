import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { useStaffList, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import { AnnouncePayout } from '#back-office/pages/terms/announce-payout.tsx'
import { durationText } from '#back-office/pages/terms/duration-text.ts'
import { TermsForm } from '#back-office/pages/terms/terms-form.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** One page holds them all: only a handful exist. */
const ALL = { limit: 100 }
const REFRESH_MS = 15_000
const OUTCOME = { coming: 'pending', 'in-force': 'success', past: 'cancelled', replaced: 'cancelled' } as const

export function TermsDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const all = useStaffQuery(staffCalls.staffTradeTerms, { query: ALL }, { everyMs: REFRESH_MS })
  const mayEdit = useMay('markets.edit')
  const row = all.data?.rows.find((one) => String(one.id) === id)
  return (
    <DetailPane title={row ? durationText(row.seconds) : t('markets.length')} query={all} onClose={onClose}>
      {row && (
        <>
          <TermsFacts row={row} />
          {mayEdit && <AnnouncePayout row={row} />}
          {mayEdit && <TermsForm row={row} />}
          <PayoutHistory id={id} />
        </>
      )}
    </DetailPane>
  )
}

function TermsFacts({ row }: { row: TradeTermsRow }) {
  return (
    <div className="pb-5">
      <Facts>
        <Fact name={t('markets.payout')}>{t('markets.percent', { value: row.payout })}</Fact>
        {row.next_payout !== null && row.next_payout_at !== null && (
          <Fact name={t('markets.state_coming')}>
            {t('markets.payout_then', { value: row.next_payout, time: time(row.next_payout_at) })}
          </Fact>
        )}
        <Fact name={t('markets.stakes')}>
          {t('markets.stake_range', { least: money(row.min_amount), most: money(row.max_amount) })}
        </Fact>
      </Facts>
    </div>
  )
}

function PayoutHistory({ id }: { id: string }) {
  const payouts = useStaffList(staffCalls.staffPayouts, { terms: id })
  if (payouts.rows === undefined || payouts.rows.length === 0) return null
  return (
    <Block title={t('markets.history')}>
      <ul>
        {payouts.rows.map((row) => (
          <li key={row.version} className="flex items-center justify-between gap-3 border-b border-line py-2">
            <span className="min-w-0">
              <span className="num block font-list">{t('markets.percent', { value: row.payout })}</span>
              {row.who !== '' && (
                <span className="num block truncate text-caption text-fg-3">
                  {time(row.applies_from)} · {t('markets.by', { name: row.who })}
                </span>
              )}
            </span>
            <OutcomePill outcome={OUTCOME[row.state]}>{t(`markets.state_${row.state}`)}</OutcomePill>
          </li>
        ))}
      </ul>
    </Block>
  )
}
