import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { readRejectionCode, type RejectionCode, rejectionCodes } from '#core/wallet/withdrawal-deadline.ts'
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
  const [againDays, setAgainDays] = useState(MAX_AGAIN_DAYS)
  const [reason, setReason] = useState('')
  const needsAgain = query.data?.is_leave === true && reasonCode !== 'details_wrong'
  const rejection = { reason_code: reasonCode, ...(needsAgain && { again_days: againDays }) }
  const decision = useWithdrawalDecision(rejection, reason)
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
          {mayReject && (
            <RejectionReason codes={rejectionCodes(withdrawal.is_leave)} value={reasonCode} onChange={setReasonCode} />
          )}
          {mayReject && needsAgain && <AgainDays value={againDays} onChange={setAgainDays} />}
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

/** Returns the state of a decision. Its calls carry a request id, so that a repeated call does nothing twice. */
function useWithdrawalDecision(rejection: { reason_code: RejectionCode; again_days?: number }, reason: string) {
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
        reject.mutate({ params, body: bodyOf(seen, { words, ...rejection }) }),
    },
  })
}

interface RejectionReasonProps {
  codes: readonly RejectionCode[]
  value: RejectionCode
  onChange: (code: RejectionCode) => void
}

function RejectionReason({ codes, value, onChange }: RejectionReasonProps) {
  return (
    <Select
      className="pb-4"
      label={t('withdrawals.reason')}
      value={value}
      options={codes.map((code) => ({ value: code, label: t(`withdrawals.reason_${code}`) }))}
      onChange={(text) => onChange(readRejectionCode(text) ?? value)}
    />
  )
}

/**
 * The number of days after which a blocked user can ask again, when the withdrawal of all their money on leaving is
 * refused.
 */
function AgainDays({ value, onChange }: { value: number; onChange: (days: number) => void }) {
  return (
    <Select
      className="pb-4"
      label={t('withdrawals.again_days')}
      value={String(value)}
      options={Array.from({ length: MAX_AGAIN_DAYS }, (_, place) => String(place + 1)).map((days) => ({
        value: days,
        label: days,
      }))}
      onChange={(text) => onChange(Number(text))}
    />
  )
}
