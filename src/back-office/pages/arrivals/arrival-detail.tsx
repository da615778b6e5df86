import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import type { ArrivalData } from '#back-office/pages/arrivals/arrival-data.ts'
import { AssignArrival, SendArrivalBack } from '#back-office/pages/arrivals/arrival-actions.tsx'
import { ArrivalState } from '#back-office/pages/arrivals/arrival-state.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#back-office/i18n/t.ts'

/** An arrival of money. While it is unassigned, staff can assign it or record that it was sent back. */
export function ArrivalDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffArrival, { params: { id } })
  const mayAssign = useMay('arrivals.assign')
  const arrival = query.data
  return (
    <DetailPane
      title={arrival ? `${arrival.amount} ${arrival.currency}` : t('nav.arrivals')}
      subtitle={arrival && time(arrival.seen_at)}
      query={query}
      onClose={onClose}
    >
      {arrival && (
        <>
          <ArrivalFacts arrival={arrival} />
          {mayAssign && arrival.state === 'unassigned' && (
            <>
              <AssignArrival arrival={arrival} />
              <SendArrivalBack arrival={arrival} />
            </>
          )}
        </>
      )}
    </DetailPane>
  )
}

function ArrivalFacts({ arrival }: { arrival: ArrivalData }) {
  return (
    <Block title={t('arrivals.facts')}>
      <Facts>
        <Fact name={t('common.state')}>
          <ArrivalState state={arrival.state} />
        </Fact>
        <Fact name={t('arrivals.gateway')}>{arrival.gateway}</Fact>
        <Fact name={t('arrivals.source')}>{t(`arrivals.source_${arrival.source}`)}</Fact>
        <Fact name={t('deposits.record_reference')}>{arrival.reference}</Fact>
        {arrival.trx !== null && (
          <Fact name={t('arrivals.deposit')}>
            <Link href={`/admin/deposits/${arrival.trx}`} className="mono text-brand">
              {arrival.trx}
            </Link>
          </Fact>
        )}
        {arrival.username !== null && <Fact name={t('common.user')}>{arrival.username}</Fact>}
        {arrival.credited !== null && <Fact name={t('arrivals.credited')}>{money(arrival.credited)}</Fact>}
        {arrival.charge !== null && <Fact name={t('deposits.charge')}>{money(arrival.charge)}</Fact>}
        {arrival.sent_at !== null && (
          <Fact name={t('arrivals.sent_back')}>{`${time(arrival.sent_at)}, ${arrival.sent_reference ?? ''}`}</Fact>
        )}
      </Facts>
    </Block>
  )
}
