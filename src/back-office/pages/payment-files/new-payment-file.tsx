import type { ReadyMethod } from '#contract/back-office/payment-files.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MAX_FILE_LINES } from '#core/wallet/payment-file.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block } from '#back-office/detail/facts.tsx'
import { payment } from '#back-office/i18n/format.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import { t } from '#back-office/i18n/t.ts'

interface NewPaymentFileProps {
  method: ReadyMethod
  onMade: (id: string) => void
  onClose: () => void
}

type Ready = StaffReply<typeof staffCalls.staffReadyOfMethod>['withdrawals']

/**
 * Previews the payments of a new payment file before staff create the file: the withdrawals that have waited longest,
 * as many as fit.
 */
export function NewPaymentFile({ method, onMade, onClose }: NewPaymentFileProps) {
  const toast = useToast()
  const params = { method: method.method_id, currency: method.currency }
  const query = useStaffQuery(staffCalls.staffReadyOfMethod, { params })
  const requestId = useRequestId()
  const make = useStaffChange(staffCalls.staffMakePaymentFile, {
    onDone: ({ id }) => {
      toast({ tone: 'success', text: t('payment_files.done_made') })
      onMade(id)
    },
    alsoAreas: ['withdrawals', 'counts'],
  })
  const all = query.data?.withdrawals ?? []
  const payable = all.filter(({ can_pay: canPay }) => canPay)
  const trxs = payable.map(({ trx }) => trx)
  const currency = method.currency.toUpperCase()
  // Amounts have two decimals, so sums in hundredths are exact.
  const sum = payable.reduce((total, { paid_out: paidOut }) => total + Math.round(paidOut * 100), 0) / 100
  return (
    <DetailPane
      title={t('payment_files.new')}
      subtitle={t('payment_files.new_hint', { method: method.method })}
      query={query}
      onClose={onClose}
      footer={
        <div className="flex flex-col gap-3">
          {make.error !== null && <Alert tone="danger">{failureText(make.error)}</Alert>}
          <p className="flex justify-between gap-4 font-semibold">
            <span>{t('payment_files.sum')}</span>
            <span className="num">{payment(sum, currency)}</span>
          </p>
          <p className="text-caption text-fg-3">{t('payment_files.begins')}</p>
          <Button
            size="m"
            disabled={trxs.length === 0}
            loading={make.isPending}
            onClick={() => make.mutate({ body: { trxs, request_id: requestId(trxs) } })}
          >
            {t('payment_files.make', { count: trxs.length })}
          </Button>
        </div>
      }
    >
      {payable.length === 0 && <p className="pb-5 text-fg-3">{t('payment_files.nothing_to_pay')}</p>}
      {method.count > MAX_FILE_LINES && (
        <p className="pb-5 text-fg-3">{t('payment_files.new_limit', { count: MAX_FILE_LINES })}</p>
      )}
      <ReadyList title={t('payment_files.in_it')} withdrawals={payable} currency={currency} />
      <ReadyList
        title={t('payment_files.left_out')}
        withdrawals={all.filter(({ can_pay: canPay }) => !canPay)}
        currency={currency}
      />
    </DetailPane>
  )
}

function ReadyList({ title, withdrawals, currency }: { title: string; withdrawals: Ready; currency: string }) {
  if (withdrawals.length === 0) return null
  return (
    <Block title={title}>
      <ol>
        {withdrawals.map(({ trx, username, pay_to: payTo, paid_out: paidOut }) => (
          <li key={trx} className="flex justify-between gap-4 border-b border-line py-1.5">
            <span className="min-w-0">
              <span className="block truncate">{username}</span>
              <span className="mono block truncate text-caption text-fg-3">{`${trx} ${payTo}`}</span>
            </span>
            <span className="num shrink-0">{payment(paidOut, currency)}</span>
          </li>
        ))}
      </ol>
    </Block>
  )
}
