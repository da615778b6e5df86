import { useEffect, useState } from 'react'
import type { WithdrawalOut, WithdrawMethodOut } from '#contract/withdrawals.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { chosenStep, pinPath } from '#core/navigation/withdraw-flow.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { formatMoney } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { call } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { OperatorText } from '#web/forms/operator-text.tsx'
import { useRequestId } from '#web/forms/request-id.ts'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { useIsOfflineStart } from '#web/live/live-store.ts'
import { DestinationCard } from '#web/screens/withdraw/destination-card.tsx'
import { MethodPicker } from '#web/screens/withdraw/method-picker.tsx'
import { PayoutCard } from '#web/screens/withdraw/payout-card.tsx'
import { plain, termsOf } from '#web/gateways/gateway-terms.ts'
import { maximumAmount, quoteOf, withdrawErrors, type WithdrawField } from '#web/screens/withdraw/withdraw-rules.ts'
import { NoticeAlert } from '#web/shell/notice-alert.tsx'
import { dismissNotice, useNotice } from '#web/session/notice.ts'
import { useGo } from '#web/session/navigation.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import type { User } from '#web/session/session.ts'
import { moneyOf } from '#web/i18n/amounts.ts'

interface WithdrawFormProps {
  user: User
  methods: readonly WithdrawMethodOut[]
  first: number | null
  onSent: (withdrawal: WithdrawalOut) => void
}

/** Step one: method, amount, PIN and the summary. */
export function WithdrawForm({ user, methods, first, onSent }: WithdrawFormProps) {
  const go = useGo()
  const notice = useNotice()
  useEffect(() => dismissNotice, [])
  const [chosenId, setChosenId] = useState(first)
  const method = methods.find(({ id }) => id === chosenId) ?? null
  const balance = moneyOf(user.balance)
  const own = { balance, isClosed: user.closing !== null || user.break?.kind === 'exclusion' }
  const isUnknown = useIsOfflineStart()
  const requestId = useRequestId()
  const form = useForm<WithdrawField>({
    initial: { method_id: '', amount: '', withdrawal_code: '' },
    validate: (values) => withdrawErrors(method, own, values),
    submit: async (values) => {
      const quote = method && quoteOf(method, own, values.amount)
      if (!method || !quote) return
      try {
        onSent(await send(method, quote.amount, values.withdrawal_code))
      } catch (error) {
        // A wrong PIN is cleared, because users retype it. All other values stay.
        if (codeOf(error) === 'pin_wrong') form.set('withdrawal_code', '')
        if (codeOf(error) === 'insufficient_balance') void refreshUser()
        if (codeOf(error) === 'gateway_changed')
          void queryClient.invalidateQueries({ queryKey: callKey('GET /user/payment-gateways/withdraw') })
        throw error
      }
    },
  })

  async function send(to: WithdrawMethodOut, amount: Money, pin: string): Promise<WithdrawalOut> {
    const amountText = moneyText(amount)
    const body = { method_id: to.id, method_version: to.version, amount: amountText, fields: {}, withdrawal_code: pin }
    const { data } = await call('POST /user/withdrawals/save', {
      body: { ...body, client_request_id: requestId(`${to.id} ${body.amount}`) },
    })
    void queryClient.invalidateQueries({ queryKey: callKey('GET /user/withdrawals') })
    await refreshUser()
    return data.withdrawal
  }

  function choose(next: WithdrawMethodOut): void {
    const step = chosenStep({ id: next.id, isReady: next.hasMethod })
    if (step.kind === 'go') go(step.to)
    else setChosenId(next.id)
  }

  const typed = form.values.amount
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-1 flex-col gap-3">
      {notice && form.failure.length === 0 && <NoticeAlert notice={notice} />}
      <FormFailure messages={form.failure} />
      <MethodPicker methods={methods} chosen={method} onChoose={choose} error={form.errorOf('method_id')} />
      {method && <OperatorText html={method.description} />}
      <AmountField
        label={t('withdraw.amount')}
        aside={t('withdraw.available', {
          amount: isUnknown ? '–' : formatMoney(balance, { symbol: user.currency_symbol }),
        })}
        value={typed}
        onChange={(value) => form.set('amount', value)}
        onBlur={form.field('amount').onBlur}
        // The currency appears once: "$ 5000 USDT" would name two.
        currency=""
        limit={
          <AmountEnd maximum={method && maximumAmount(method, own)} onMaximum={(max) => form.set('amount', max)} />
        }
        error={form.errorOf('amount')}
        hint={method ? limitsOf(method) : undefined}
      />
      {method && <DestinationCard method={method} />}
      {method && <PayoutCard method={method} quote={quoteOf(method, own, typed)} />}
      <div>
        <PinField
          label={t('withdraw.pin')}
          value={form.values.withdrawal_code}
          onChange={(value) => form.set('withdrawal_code', value)}
          error={form.errorOf('withdrawal_code')}
        />
        <Link
          href={pinPath({ fromWithdraw: true })}
          className="mt-1 inline-flex min-h-11 items-center text-small font-semibold text-brand"
        >
          {t('withdraw.change_pin')}
        </Link>
      </div>
      <PinnedAction>
        <Button type="submit" loading={form.busy}>
          {t('withdraw.submit')}
        </Button>
        <HeldNote />
      </PinnedAction>
    </form>
  )
}

/** Tells that the amount is held. Mentions cancelling only after the server replied that the withdrawal lock is off. */
function HeldNote() {
  const canCancel = useOwnLimits().data?.data.withdrawal_lock === false
  return (
    <p className="mt-1.5 text-center text-caption text-fg-3">
      {canCancel ? t('withdraw.note') : t('withdraw.note_locked')}
    </p>
  )
}

interface AmountEndProps {
  maximum: Money | null
  onMaximum: (amount: string) => void
}

/** The currency, and a button for the maximum amount. */
function AmountEnd({ maximum, onMaximum }: AmountEndProps) {
  return (
    <span className="flex items-center gap-2">
      {BASE_CURRENCY}
      {maximum !== null && (
        <Button
          variant="tint"
          size="s"
          aria-label={t('withdraw.max_label', { amount: `${plain(maximum)} ${BASE_CURRENCY}` })}
          onClick={() => onMaximum(moneyText(maximum))}
        >
          {t('withdraw.max')}
        </Button>
      )}
    </span>
  )
}

function limitsOf(method: WithdrawMethodOut): string {
  const { minimum, maximum } = termsOf(method)
  return t('withdraw.limits', { min: plain(minimum), max: plain(maximum), currency: BASE_CURRENCY })
}

function codeOf(error: unknown): string | null {
  return error instanceof CallFailure ? error.code : null
}
