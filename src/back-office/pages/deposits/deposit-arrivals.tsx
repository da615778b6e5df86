import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { Timeline } from '#back-office/detail/timeline.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import type { DepositDetailData } from '#back-office/pages/deposits/deposit-data.ts'
import { t } from '#back-office/i18n/t.ts'

/** The arrivals of a deposit, the credit that an approval would make, and the history. */
export function DepositArrivals({ deposit }: { deposit: DepositDetailData }) {
  const { arrivals, preview, currency } = deposit
  return (
    <>
      <Block title={t('deposits.arrived')}>
        {deposit.is_before_arrivals && <p className="text-fg-2">{t('deposits.before_arrivals')}</p>}
        {!deposit.is_before_arrivals && arrivals.length === 0 && (
          <p className="text-fg-2">{t('deposits.nothing_arrived')}</p>
        )}
        {arrivals.map((one) => (
          <Facts key={one.id}>
            <Fact name={t('deposits.arrived_at', { time: time(one.seen_at) })}>{`${one.amount} ${currency}`}</Fact>
            <Fact name={t('deposits.record_reference')}>{one.reference}</Fact>
            <Fact name={t('deposits.rate')}>{`1 ${currency} = ${one.rate}`}</Fact>
            <Fact name={t(one.state === 'credited' ? 'deposits.credited' : 'deposits.will_credit')}>
              {money(one.credited)}
            </Fact>
            <Fact name={t('deposits.charge')}>{money(one.charge)}</Fact>
          </Facts>
        ))}
      </Block>
      {deposit.has_due && (
        <p className="pb-5 text-fg-2">
          {t('deposits.preview', {
            arrived: preview.arrived,
            asked: preview.asked,
            currency,
            credits: money(preview.credits),
            charges: money(preview.charges),
          })}
        </p>
      )}
      {deposit.same_request.length > 0 && (
        <p className="pb-5 text-warn">{t('deposits.same_request', { references: deposit.same_request.join(', ') })}</p>
      )}
      <Timeline title={t('deposits.timeline')} steps={deposit.steps} stepText={(step) => t(`deposits.step_${step}`)} />
    </>
  )
}
