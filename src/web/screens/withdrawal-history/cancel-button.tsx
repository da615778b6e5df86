import { useRef, useState } from 'react'
import type { WithdrawalOut } from '#contract/withdrawals.ts'
import { Button } from '#ui/button.tsx'
import { formatMoney } from '#ui/format.ts'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

/** Cancels a pending withdrawal after a confirmation. */
export function CancelButton({ withdrawal }: { withdrawal: WithdrawalOut }) {
  const [open, setOpen] = useState(false)
  const { cancel, busy, failure } = useCancel(withdrawal)
  const amount = formatMoney(moneyOf(withdrawal.amount))
  const limits = useOwnLimits().data?.data
  if (limits?.withdrawal_lock === true) return null
  return (
    <>
      <Button variant="secondary" size="s" onClick={() => setOpen(true)} aria-haspopup="dialog">
        {t('withdrawal_history.cancel')}
      </Button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('withdrawal_history.cancel_title')}
        closeLabel={t('common.close')}
        footer={
          <div className="flex flex-col gap-2">
            <Button variant="danger" loading={busy} onClick={() => void cancel()}>
              {t('withdrawal_history.cancel_confirm')}
            </Button>
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {t('withdrawal_history.cancel_keep')}
            </Button>
          </div>
        }
      >
        <FormFailure messages={failure} />
        <p className="pt-1 text-fg-2">{t('withdrawal_history.cancel_text', { amount, method: withdrawal.method })}</p>
      </Sheet>
    </>
  )
}

function useCancel({ trx, amount }: WithdrawalOut) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<readonly string[]>([])
  // A ref, because a second quick press can arrive before the first press has rendered.
  const sending = useRef(false)

  async function cancel(): Promise<void> {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setFailure([])
    try {
      await call('POST /user/withdrawals/:trx/cancel', { params: { trx } })
      toast({ tone: 'success', text: t('withdrawal_history.cancel_done', { amount: formatMoney(moneyOf(amount)) }) })
    } catch (error) {
      setFailure([failureText(error)])
    } finally {
      sending.current = false
      setBusy(false)
      // Reloads the user after a refusal too, because the withdrawal was decided in the meantime.
      void refreshUser()
      await queryClient.invalidateQueries({ queryKey: callKey('GET /user/withdrawals') })
    }
  }

  return { cancel, busy, failure }
}
