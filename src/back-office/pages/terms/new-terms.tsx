import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { t } from '#back-office/i18n/t.ts'

const NEEDED = { required: t('markets.needed') }

/** The form that adds an order duration, offered immediately. */
export function NewTerms({ onClose, onAdded }: { onClose: () => void; onAdded: (id: number) => void }) {
  const toast = useToast()
  const ready = useStaffQuery(staffCalls.staffPayoutNotice, {})
  const form = useForm({ defaultValues: { seconds: '', min_amount: '', max_amount: '', payout: '' } })
  const add = useStaffChange(staffCalls.staffAddTradeTerms)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const stakes = { min_amount: plainAmount(values.min_amount), max_amount: plainAmount(values.max_amount) }
      const body = { ...values, ...stakes, seconds: plainNumber(values.seconds), payout: plainNumber(values.payout) }
      const { id } = await add.mutateAsync({ body })
      toast({ tone: 'success', text: t('markets.terms_added') })
      onAdded(id)
    }),
  )
  return (
    <DetailPane title={t('markets.new_terms')} query={ready} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <Field
          label={t('markets.length_field')}
          hint={t('markets.length_hint')}
          inputMode="numeric"
          error={errors.seconds?.message}
          {...form.register('seconds', NEEDED)}
        />
        <Field
          label={t('markets.least')}
          inputMode="decimal"
          error={errors.min_amount?.message}
          {...form.register('min_amount', NEEDED)}
        />
        <Field
          label={t('markets.most')}
          inputMode="decimal"
          error={errors.max_amount?.message}
          {...form.register('max_amount', NEEDED)}
        />
        <Field
          label={t('markets.payout_field')}
          inputMode="decimal"
          error={errors.payout?.message}
          {...form.register('payout', NEEDED)}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.add_terms')}
        </Button>
      </form>
    </DetailPane>
  )
}
