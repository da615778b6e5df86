import { ALL } from '#core/markets/terms/terms-entry.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { money } from '#back-office/i18n/format.ts'
import { durationText } from '#back-office/terms/duration-text.ts'
import { useMay } from '#back-office/session/staff.ts'
import { AnnounceTerms } from '#back-office/terms/announce-terms.tsx'
import { ComingTerms } from '#back-office/terms/coming-terms.tsx'
import { generalChoices } from '#back-office/terms/terms-choice.ts'
import { useTermsState } from '#back-office/terms/use-announce-terms.ts'
import { t } from '#back-office/i18n/t.ts'

/** The general trade terms that apply to all durations: the notice period of changes and the ceiling of stakes. */
export function GeneralTerms({ onClose }: { onClose: () => void }) {
  const state = useTermsState()
  const mayEdit = useMay('markets.edit')
  return (
    <DetailPane title={t('markets.all_durations')} query={state} onClose={onClose}>
      {state.data && (
        <>
          <div className="pb-5">
            <Facts>
              <Fact name={t('markets.notice')}>{durationText(state.data.notice_ms / SECOND_MS)}</Fact>
              <Fact name={t('markets.ceiling')}>{money(state.data.ceiling)}</Fact>
            </Facts>
          </div>
          <ComingTerms parts={['notice', 'ceiling', 'rule']} of={ALL} />
          {mayEdit && <AnnounceTerms of={ALL} choices={generalChoices()} />}
        </>
      )}
    </DetailPane>
  )
}
