import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { readRejectionCode, REJECTION_CODES, type RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/select.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { payment as paymentText, time } from '#back-office/i18n/format.ts'
import { PaymentFields, PaymentFooter, useHasPaymentStep } from '#back-office/pages/withdrawals/payment-panel.tsx'
import { usePayment, useStepBody, useStepOptions } from '#back-office/pages/withdrawals/use-payment.ts'
import { WithdrawalFacts } from '#back-office/pages/withdrawals/withdrawal-facts.tsx'
import { decideFooter, DecisionWords } from '#back-office/queues/decide-panel.tsx'
import { Remarks } from '#back-office/queues/remarks.tsx'
import { useDecision } from '#back-office/queues/use-decision.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const DUPLICATES: ReadonlySet<string> = new Set(['same_request', 'destination_shared'])

export function WithdrawalDetail({ trx, onClose }: { trx: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffWithdrawal, { params: { trx } })
  const [reasonCode, setReasonCode] = useState<RejectionCode>('details_wrong')
  const [reason, setReason] = useState('')
  const decision = useWithdrawalDecision(reasonCode, reason)
  const payment = usePayment()
  const remark = useStaffChange(staffCalls.staffRemarkWithdrawal)
  const mayDecide = useMay('withdrawals.decide')
  const withdrawal = query.data
  const hasPaymentStep = useHasPaymentStep(withdrawal)
  const isOpen = mayDecide && withdrawal?.state === 'requested'
  const mayReject = isOpen || (mayDecide && withdrawal?.state === 'approved')
  const asksReason = isOpen && withdrawal.concerns.some((concern) => DUPLICATES.has(concern))
  const decide = withdrawal && {
    item: withdrawal,
    decision,
    isOpen,
    amount: paymentText(withdrawal.paid_out, withdrawal.currency),
  }
  return (
    <DetailPane
      title={<span className="mono">{trx}</span>}
      subtitle={withdrawal && t('common.asked_at', { time: time(withdrawal.created_at) })}
      query={query}
      onClose={onClose}
      footer={
        decide &&
        (hasPaymentStep ? (
          <>
            {decideFooter({ ...decide, isOpen: false })}
            <PaymentFooter withdrawal={decide.item} payment={payment} />
          </>
        ) : (
          decideFooter(decide)
        ))
      }
    >
      {withdrawal && (
        <>
          <WithdrawalFacts withdrawal={withdrawal} />
          {hasPaymentStep && withdrawal.state !== 'approved' && (
            <PaymentFields withdrawal={withdrawal} payment={payment} />
          )}
          {mayReject && <RejectionReason value={reasonCode} onChange={setReasonCode} />}
          {mayReject && <DecisionWords decision={decision} />}
          {asksReason && (
            <div className="pb-5">
              <TextArea
                label={t('withdrawals.approval_reason')}
                value={reason}
                maxLength={300}
                onChange={(event) => setReason(event.target.value)}
              />
            </div>
          )}
          {mayReject && !isOpen && (
            <Button
              variant="danger"
              size="m"
              className="mb-5"
              loading={decision.reject.isPending}
              onClick={() => decision.onReject(withdrawal)}
            >
              {t('common.reject')}
            </Button>
          )}
          <Remarks
            remarks={withdrawal.remarks}
            onAdd={(text) => remark.mutateAsync({ params: { trx }, body: { text } })}
          />
        </>
      )}
    </DetailPane>
  )
}

/** A decision whose calls carry an id, so that a repeated one does nothing twice. */
function useWithdrawalDecision(reasonCode: RejectionCode, reason: string) {
  const options = useStepOptions()
  const bodyOf = useStepBody()
  const approve = useStaffChange(staffCalls.staffApproveWithdrawal, options)
  const reject = useStaffChange(staffCalls.staffRejectWithdrawal, options)
  return useDecision({
    approve: {
      ...approve,
      mutate: ({ params, body: { words, ...seen } }) =>
        approve.mutate({ params, body: bodyOf(seen, { words, reason: reason.trim() }) }),
    },
    reject: {
      ...reject,
      mutate: ({ params, body: { words, ...seen } }) =>
        reject.mutate({ params, body: bodyOf(seen, { words, reason_code: reasonCode }) }),
    },
  })
}

interface RejectionReasonProps {
  value: RejectionCode
  onChange: (code: RejectionCode) => void
}

function RejectionReason({ value, onChange }: RejectionReasonProps) {
  return (
    <Select
      className="pb-4"
      label={t('withdrawals.reason')}
      value={value}
      options={REJECTION_CODES.map((code) => ({ value: code, label: t(`withdrawals.reason_${code}`) }))}
      onChange={(text) => onChange(readRejectionCode(text) ?? value)}
    />
  )
}
