import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import { CorrectionState } from '#back-office/pages/corrections/correction-state.tsx'
import { useCorrectionDecision, useCorrectionFooter } from '#back-office/pages/corrections/decide-correction.tsx'
import { t } from '#back-office/i18n/t.ts'
import type { CorrectionData } from '#back-office/pages/corrections/correction-data.ts'

export function CorrectionDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const correction = useStaffQuery(staffCalls.staffCorrection, { params: { id } })
  const { data } = correction
  const footer = useCorrectionFooter({ correction: data, decision: useCorrectionDecision() })
  return (
    <DetailPane
      title={data ? t('corrections.ask_title', { name: data.username }) : t('nav.corrections')}
      subtitle={data && t('common.asked_at', { time: time(data.asked_at) })}
      query={correction}
      onClose={onClose}
      footer={footer}
    >
      {data && <CorrectionFacts correction={data} />}
    </DetailPane>
  )
}

function CorrectionFacts({ correction }: { correction: CorrectionData }) {
  const { amount, cash, state } = correction
  return (
    <>
      <div className="flex items-center justify-between pb-5">
        <span>
          <b className="block text-heading">{correction.username}</b>
          <Link href={`/admin/users/${correction.user_id}`} className="text-caption font-semibold text-brand">
            {t('corrections.open_user')}
          </Link>
        </span>
        <span className="text-end">
          <b className="num block text-title">{`${amount > 0 ? '+' : ''}${money(amount)}`}</b>
          <CorrectionState row={correction} />
        </span>
      </div>
      <Block title={t('corrections.reason')}>
        <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{correction.reason}</p>
      </Block>
      <Block title={t('corrections.message')}>
        <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{correction.message}</p>
      </Block>
      <Block title={t('corrections.kind')}>
        <Facts>
          <Fact name={t(`corrections.kind_${correction.kind}`)}>{correction.link ?? correction.trx}</Fact>
          {correction.posts_at !== null && <Fact name={t('corrections.posts_at')}>{time(correction.posts_at)}</Fact>}
        </Facts>
      </Block>
      <Block title={t('corrections.ledger')}>
        <Facts>
          <Fact name={t(amount > 0 ? 'corrections.from_to_in' : 'corrections.from_to_out')}>
            {money(Math.abs(amount))}
          </Fact>
          {state === 'waiting' && (
            <>
              <Fact name={t('corrections.cash_now')}>{money(cash)}</Fact>
              <Fact name={t('corrections.cash_after')}>{money(cash + amount)}</Fact>
            </>
          )}
        </Facts>
      </Block>
      <Block title={t('common.state')}>
        <Facts>
          <Fact name={t('corrections.asked_by')}>{correction.asked_by}</Fact>
          {correction.decided_by !== null && <Fact name={t('corrections.decided_by')}>{correction.decided_by}</Fact>}
          {correction.decided_at !== null && (
            <Fact name={t('corrections.decided_at')}>{time(correction.decided_at)}</Fact>
          )}
        </Facts>
      </Block>
      {correction.words !== '' && (
        <Block title={t('corrections.rejected_because')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{correction.words}</p>
        </Block>
      )}
    </>
  )
}
