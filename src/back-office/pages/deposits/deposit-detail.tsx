import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { amount, money, time } from '#back-office/i18n/format.ts'
import type { DepositDetailData } from '#back-office/pages/deposits/deposit-data.ts'
import { DepositArrivals } from '#back-office/pages/deposits/deposit-arrivals.tsx'
import { RecordArrival } from '#back-office/pages/deposits/record-arrival.tsx'
import { ReceiptView } from '#back-office/pages/deposits/receipt-view.tsx'
import { DepositState } from '#back-office/pages/deposits/deposit-state.tsx'
import { decideFooter, DecisionWords } from '#back-office/queues/decide-panel.tsx'
import { DecidedBy } from '#back-office/queues/decided-by.tsx'
import { UserHeader } from '#back-office/queues/user-header.tsx'
import { Remarks } from '#back-office/queues/remarks.tsx'
import { useDecision } from '#back-office/queues/use-decision.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

export function DepositDetail({ trx, onClose }: { trx: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffDeposit, { params: { trx } })
  const toast = useToast()
  const done = ({ outcome }: { outcome: 'credited' | 'rejected' | 'first-approval' }) =>
    toast({ tone: 'success', text: t(`deposits.done_${outcome === 'first-approval' ? 'first' : outcome}`) })
  const options = { onDone: done, alsoAreas: ['counts', 'users', 'ledger'] }
  const decision = useDecision({
    approve: useStaffChange(staffCalls.staffApproveDeposit, options),
    reject: useStaffChange(staffCalls.staffRejectDeposit, options),
  })
  const remark = useStaffChange(staffCalls.staffRemarkDeposit)
  const mayDecide = useMay('deposits.decide')
  const deposit = query.data
  const isPending = deposit?.state === 'waiting' || deposit?.state === 'seen' || deposit?.state === 'review'
  const isOpen = mayDecide && (isPending || deposit?.has_due === true)
  return (
    <DetailPane
      title={<span className="mono">{trx}</span>}
      subtitle={deposit && t('common.asked_at', { time: time(deposit.created_at) })}
      query={query}
      onClose={onClose}
      footer={deposit && decideFooter({ item: deposit, decision, isOpen, amount: money(deposit.preview.credits) })}
    >
      {deposit && (
        <>
          <DepositFacts deposit={deposit} />
          <DepositArrivals deposit={deposit} />
          {mayDecide && deposit.state !== 'rejected' && <RecordArrival deposit={deposit} />}
          {isOpen && <DecisionWords decision={decision} />}
          <Remarks
            remarks={deposit.remarks}
            onAdd={(text) => remark.mutateAsync({ params: { trx }, body: { text } })}
          />
        </>
      )}
    </DetailPane>
  )
}

/** Whether nothing of the deposit has been decided, whatever was seen of it. */
const isWaiting = ({ state }: DepositDetailData) => state === 'waiting' || state === 'seen' || state === 'review'

function DepositFacts({ deposit }: { deposit: DepositDetailData }) {
  const { currency } = deposit
  return (
    <>
      <UserHeader
        user={deposit}
        amount={money(deposit.credited)}
        note={t(`deposits.note_${deposit.state}`)}
        state={(!isWaiting(deposit) || deposit.needs_two) && <DepositState row={deposit} long />}
      />
      <Block title={t('deposits.quoted')}>
        <Facts>
          <Fact name={t('deposits.gateway')}>{deposit.gateway}</Fact>
          <Fact name={t('deposits.amount')}>{`${amount(deposit.amount)} ${currency}`}</Fact>
          <Fact name={t('deposits.charge')}>{`${amount(deposit.charge)} ${currency}`}</Fact>
          <Fact name={t('deposits.total')}>{`${amount(deposit.total)} ${currency}`}</Fact>
          <Fact name={t('deposits.rate')}>{`1 ${currency} = ${deposit.rate}`}</Fact>
          <Fact name={t('deposits.quoted_until')}>
            {deposit.quoted_until === null ? t('deposits.no_end') : `${time(deposit.quoted_until)} UTC`}
          </Fact>
        </Facts>
      </Block>
      {deposit.fields.length > 0 && (
        <Block title={t('deposits.filled_in')}>
          <Facts>
            {deposit.fields.map(({ label, value }) => (
              <Fact key={label} name={label}>
                {value}
              </Fact>
            ))}
          </Facts>
        </Block>
      )}
      {deposit.files.map((file) => (
        <Block key={file.name} title={file.label}>
          <ReceiptView file={file} />
        </Block>
      ))}
      <DecidedBy row={deposit} />
      {deposit.feedback !== '' && (
        <Block title={t('common.told')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{deposit.feedback}</p>
        </Block>
      )}
    </>
  )
}
