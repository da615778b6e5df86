import { Controller, useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { MarketType } from '#core/markets/market.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { MarketSelect } from '#back-office/forms/market-select.tsx'
import { t } from '#back-office/i18n/t.ts'

interface Values {
  market_type: MarketType
  from: string
  to: string
  words: string
}

const EMPTY: Values = { market_type: 'crypto', from: '', to: '', words: '' }
const NEEDED = { required: t('markets.needed') }

/** Plans a closure with a reason that users read. */
export function PlanClosure() {
  const toast = useToast()
  const form = useForm<Values>({ defaultValues: EMPTY })
  const plan = useStaffChange(staffCalls.staffPlanClosure)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const times = { from: utc(values.from), to: utc(values.to) }
      await plan.mutateAsync({ body: { ...values, ...times } })
      form.reset()
      toast({ tone: 'success', text: t('markets.planned') })
    }),
  )
  return (
    <section aria-labelledby="plan" className="card p-5">
      <h2 id="plan" className="pb-1 text-heading font-semibold">
        {t('markets.plan')}
      </h2>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <p className="text-fg-2">{t('markets.plan_text')}</p>
        <FormFailure form={form} />
        <Controller
          control={form.control}
          name="market_type"
          render={({ field: { value, onChange } }) => <MarketSelect value={value} onChange={onChange} />}
        />
        <Field
          label={t('markets.from')}
          type="datetime-local"
          error={errors.from?.message}
          {...form.register('from', NEEDED)}
        />
        <Field
          label={t('markets.to')}
          type="datetime-local"
          error={errors.to?.message}
          {...form.register('to', NEEDED)}
        />
        <Field
          label={t('markets.reason')}
          maxLength={300}
          error={errors.words?.message}
          {...form.register('words', { required: t('refusal.words_needed') })}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.plan')}
        </Button>
      </form>
    </section>
  )
}

/** Converts the value of a date and time field to an ISO time in UTC, because the field has no time zone. */
function utc(local: string): string {
  return new Date(`${local}Z`).toISOString()
}
