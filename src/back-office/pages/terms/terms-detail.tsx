import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { durationText } from '#back-office/terms/duration-text.ts'
import { payoutText, stakesText } from '#back-office/pages/terms/terms-cells.ts'
import { useMay } from '#back-office/session/staff.ts'
import { AnnounceTerms } from '#back-office/terms/announce-terms.tsx'
import { ComingTerms } from '#back-office/terms/coming-terms.tsx'
import { durationChoices } from '#back-office/terms/terms-choice.ts'
import { t } from '#back-office/i18n/t.ts'

/** A duration has few changes, so a page of 100 contains all. */
const ALL = { limit: 100 }
const REFRESH_MS = 15_000
const PARTS = ['duration', 'payout', 'min_stake', 'max_stake'] as const

export function TermsDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const all = useStaffQuery(staffCalls.staffTradeTerms, { query: ALL }, { everyMs: REFRESH_MS })
  const mayEdit = useMay('markets.edit')
  const row = all.data?.rows.find((one) => String(one.id) === id)
  return (
    <DetailPane title={row ? durationText(row.seconds) : t('markets.length')} query={all} onClose={onClose}>
      {row && (
        <>
          <TermsFacts row={row} />
          <ComingTerms parts={PARTS} of={String(row.seconds)} />
          {mayEdit && <AnnounceTerms of={String(row.seconds)} choices={durationChoices(row.is_open)} />}
        </>
      )}
    </DetailPane>
  )
}

function TermsFacts({ row }: { row: TradeTermsRow }) {
  return (
    <div className="pb-5">
      <Facts>
        <Fact name={t('markets.payout')}>{payoutText(row)}</Fact>
        <Fact name={t('markets.stakes')}>{stakesText(row)}</Fact>
        <Fact name={t('common.state')}>{t(row.is_offered ? 'markets.is_offered' : 'markets.not_offered')}</Fact>
      </Facts>
    </div>
  )
}
