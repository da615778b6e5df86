import type { LimitsOut } from '#contract/limits.ts'
import { COOLING_MS, type SelfLimitKey } from '#core/accounts/self-limits.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { ReadAmount } from '#core/money/typed-amount.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { formatMoney } from '#ui/format.ts'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { amountProblem, readTyped } from '#web/forms/typed-amount.ts'
import { useForm } from '#web/forms/use-form.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { limitName, limitValue } from '#web/limits/limit-text.ts'
import { serverNowMs } from '#web/site/settings.ts'

interface LimitSheetProps {
  limit: SelfLimitKey
  own: LimitsOut
  open: boolean
  onClose: () => void
  onDone: () => void
}

/** Changes one limit. The amount is typed; nothing is suggested. */
export function LimitSheet({ limit, own, open, onClose, onDone }: LimitSheetProps) {
  const toast = useToast()
  const value = limitValue(limit, own)
  const save = async (amount: number | string | null) => {
    const { data } = await call('POST /user/limits', { body: { changes: [{ key: limit, value: amount }] } })
    const readyAt = data.outcomes[0]?.ready_at ?? null
    const text = readyAt === null ? t('limits.saved') : t('limits.asked', { time: dayAndTimeText(Date.parse(readyAt)) })
    toast({ tone: 'success', text })
    onDone()
    onClose()
  }
  const form = useForm({
    initial: { amount: '' },
    validate: ({ amount }) => ({ amount: amountProblem(amount, t('limits.amount')) }),
    submit: async ({ amount }) => {
      const read = readTyped(amount)
      if (read.ok) await save(moneyText(read.amount))
    },
  })
  const smallest = useSmallestAbove(readTyped(form.values.amount), !limit.startsWith('deposit'))
  const removal = useForm({ initial: {}, validate: () => ({}), submit: () => save(null) })
  return (
    <Sheet open={open} onClose={onClose} title={limitName(limit)} closeLabel={t('common.close')}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
        <FormFailure messages={[...form.failure, ...removal.failure]} />
        <AmountField
          label={t('limits.amount')}
          aside={value === null ? t('limits.none') : <span dir="ltr">{formatMoney(moneyOf(value))}</span>}
          value={form.values.amount}
          onChange={(amount) => form.set('amount', amount)}
          onBlur={form.field('amount').onBlur}
          limit={BASE_CURRENCY}
          error={form.errorOf('amount')}
          hint={
            <>
              {t('limits.when', { time: dayAndTimeText(serverNowMs() + COOLING_MS) })}
              {smallest !== null && (
                <output className="block font-semibold text-warn">
                  {t('limits.no_order', { min: formatMoney(smallest) })}
                </output>
              )}
            </>
          }
        />
        <Button type="submit" loading={form.busy}>
          {t('limits.save')}
        </Button>
      </form>
      {value !== null && (
        <form onSubmit={removal.onSubmit} className="mt-2">
          <Button type="submit" variant="secondary" loading={removal.busy}>
            {t('limits.remove')}
          </Button>
        </form>
      )}
    </Sheet>
  )
}

/** Returns the smallest stake if it is above a limit on stakes, so that the limit would allow no order. Else null. */
function useSmallestAbove(read: ReadAmount, isOnStakes: boolean): Money | null {
  const { data } = useCallQuery('GET /user/crypto-currency/list', {}, { enabled: isOnStakes })
  if (!isOnStakes || !read.ok || data === undefined || data.data.trade_settings.length === 0) return null
  const smallest = moneyOf(Math.min(...data.data.trade_settings.map((one) => one.min_amount)))
  return read.amount < smallest ? smallest : null
}
