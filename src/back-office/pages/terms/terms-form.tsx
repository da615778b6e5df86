import { useForm } from 'react-hook-form'
import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { useEdited } from '#back-office/forms/use-edited.ts'
import { t } from '#back-office/i18n/t.ts'

interface Values {
  seconds: string
  min_amount: string
  max_amount: string
  is_offered: boolean
}

const NEEDED = { required: t('markets.needed') }

/** The form for duration and stakes of new orders. */
export function TermsForm({ row }: { row: TradeTermsRow }) {
  const toast = useToast()
  const form = useForm<Values>({ defaultValues: valuesOf(row) })
  const { base, isOld, reload } = useEdited(row, form, valuesOf)
  const edit = useStaffChange(staffCalls.staffEditTradeTerms)
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const stakes = { min_amount: plainAmount(values.min_amount), max_amount: plainAmount(values.max_amount) }
      const body = { ...values, ...stakes, version: base.version, seconds: plainNumber(values.seconds) }
      await edit.mutateAsync({ params: { id: row.id }, body })
      form.reset(values)
      toast({ tone: 'success', text: t('markets.saved') })
    }),
  )
  return (
    <Block title={t('markets.stakes')}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <ChangedMeanwhile isOld={isOld && isDirty} reload={reload} />
        <FormFailure form={form} />
        <Field
          label={t('markets.length_field')}
          hint={t('markets.length_hint')}
          inputMode="numeric"
          error={errors.seconds?.message}
          {...form.register('seconds', NEEDED)}
        />
        <div className="grid grid-cols-2 gap-3">
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
        </div>
        <Checkbox {...form.register('is_offered')}>{t('markets.offered')}</Checkbox>
        <Button type="submit" size="m" variant="secondary" loading={isSubmitting} disabled={!isDirty}>
          {t('markets.save')}
        </Button>
      </form>
    </Block>
  )
}

function valuesOf({ seconds, min_amount: minimum, max_amount: maximum, is_offered }: TradeTermsRow): Values {
  return { seconds: String(seconds), min_amount: minimum.toFixed(2), max_amount: maximum.toFixed(2), is_offered }
}
