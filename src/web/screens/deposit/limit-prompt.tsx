import { useId } from 'react'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RadioBox } from '#ui/radio-box.tsx'
import { cx } from '#ui/cx.ts'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { amountProblem, readTyped } from '#web/forms/typed-amount.ts'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { limitName } from '#web/limits/limit-text.ts'

/** Asks once, before the first deposit, whether the user wants a deposit limit. Both answers have the same weight. */
export function LimitPrompt({ onDone }: { onDone: () => void }) {
  const group = useId()
  const form = useForm({
    initial: { answer: 'set', amount: '' },
    validate: ({ answer, amount }) => (answer === 'set' ? { amount: amountProblem(amount, t('limits.amount')) } : {}),
    submit: async ({ answer, amount }) => {
      const read = readTyped(amount)
      const changes = read.ok ? [{ key: 'deposit_day' as const, value: moneyText(read.amount) }] : []
      await call('POST /user/limits/prompt', { body: answer === 'set' ? { answer, changes } : { answer: 'none' } })
      onDone()
    },
  })
  const isSet = form.values.answer === 'set'
  return (
    <Card>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
        <h2 className="text-heading">{t('limits.prompt')}</h2>
        <p className="text-fg-2">{t('limits.prompt_text')}</p>
        <FormFailure messages={form.failure} />
        <div role="radiogroup" aria-label={t('limits.prompt')} className="grid grid-cols-2 gap-2">
          {(['set', 'none'] as const).map((one) => (
            <RadioBox
              key={one}
              name={group}
              checked={form.values.answer === one}
              onChoose={() => form.set('answer', one)}
              className={cx(
                'min-h-12 rounded-field border px-2 text-center font-semibold',
                form.values.answer === one ? 'border-brand bg-brand-tint' : 'border-line',
              )}
            >
              {one === 'set' ? t('limits.deposit') : t('limits.remove')}
            </RadioBox>
          ))}
        </div>
        {isSet && (
          <AmountField
            label={limitName('deposit_day')}
            value={form.values.amount}
            onChange={(amount) => form.set('amount', amount)}
            onBlur={form.field('amount').onBlur}
            limit={BASE_CURRENCY}
            error={form.errorOf('amount')}
          />
        )}
        <Button type="submit" loading={form.busy}>
          {t('limits.save')}
        </Button>
      </form>
    </Card>
  )
}
