import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import type { PaymentUnderWay } from '#back-office/pages/withdrawals/use-payment.ts'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { useMay, useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface PaymentProps {
  withdrawal: WithdrawalDetailData
  payment: PaymentUnderWay
}

/**
 * The fields of a payment: its reference, and a text. The text is the message to the user, or the reason of a staff
 * member who takes over the payment.
 */
export function PaymentFields({ withdrawal, payment }: PaymentProps) {
  const { name } = useStaff()
  const isOwn = withdrawal.paying_by === name
  const isPaid = withdrawal.state === 'paid'
  return (
    <div className="flex flex-col gap-3 pb-5">
      {(isOwn || isPaid) && (
        <Field
          label={t('withdrawals.reference')}
          hint={t('withdrawals.reference_hint')}
          value={payment.reference}
          maxLength={200}
          ltr
          onChange={(event) => payment.setReference(event.target.value)}
        />
      )}
      <TextArea
        label={isOwn || isPaid ? t('common.message') : t('withdrawals.words_staff')}
        value={payment.words}
        maxLength={isOwn || isPaid ? 500 : 300}
        onChange={(event) => payment.setWords(event.target.value)}
      />
      {isOwn && (
        <Checkbox checked={payment.hasChecked} onChange={(event) => payment.setHasChecked(event.target.checked)}>
          {t('withdrawals.checked_nothing_arrives')}
        </Checkbox>
      )}
    </div>
  )
}

/** The buttons of a payment, by its state and by who pays it. */
export function PaymentFooter({ withdrawal, payment }: PaymentProps) {
  const { name } = useStaff()
  const mayTakeOver = useMay('withdrawals.take_over')
  const { state, paying_by: payer } = withdrawal
  const isOwn = payer === name
  const { failure, note, isBusy } = payment
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {note !== null && <Alert tone="danger">{note}</Alert>}
      {state === 'approved' && (
        <Button size="m" loading={isBusy} onClick={() => payment.start(withdrawal)}>
          {t('withdrawals.start')}
        </Button>
      )}
      {state === 'paying' && isOwn && (
        <>
          <Button size="m" loading={isBusy} onClick={() => payment.markPaid(withdrawal)}>
            {t('withdrawals.mark_paid')}
          </Button>
          <div className="flex gap-2">
            <Button
              variant="secondary"
              size="m"
              className="flex-1"
              disabled={isBusy}
              onClick={() => payment.markUnsent(withdrawal)}
            >
              {t('withdrawals.mark_unsent')}
            </Button>
            <Button
              variant="danger"
              size="m"
              className="flex-1"
              disabled={isBusy}
              onClick={() => payment.markFailed(withdrawal)}
            >
              {t('withdrawals.mark_failed')}
            </Button>
          </div>
        </>
      )}
      {state === 'paying' && !isOwn && mayTakeOver && (
        <Button variant="secondary" size="m" loading={isBusy} onClick={() => payment.takeOver(withdrawal)}>
          {t('withdrawals.take_over')}
        </Button>
      )}
      {state === 'paid' && (
        <Button variant="secondary" size="m" loading={isBusy} onClick={() => payment.markReturned(withdrawal)}>
          {t('withdrawals.mark_returned')}
        </Button>
      )}
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}

/** Whether this staff member can take a step in paying the withdrawal. */
export function useHasPaymentStep(withdrawal: WithdrawalDetailData | undefined): boolean {
  const { name } = useStaff()
  const mayPay = useMay('withdrawals.pay')
  const mayTakeOver = useMay('withdrawals.take_over')
  if (!mayPay || withdrawal === undefined) return false
  const { state, paying_by: payer } = withdrawal
  return state === 'approved' || state === 'paid' || (state === 'paying' && (payer === name || mayTakeOver))
}
