import { useForm } from 'react-hook-form'
import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

interface Values {
  payout: string
  applies_at: string
}

/** The form that announces a payout. It applies to all users' new orders from a given moment. */
export function AnnouncePayout({ row }: { row: TradeTermsRow }) {
  const toast = useToast()
  const notice = useStaffQuery(staffCalls.staffPayoutNotice, {})
  const form = useForm<Values>({ defaultValues: { payout: '', applies_at: '' } })
  const announce = useStaffChange(staffCalls.staffAnnouncePayout)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const { payout, applies_at: at } = values
      const { applies_at: from } = await announce.mutateAsync({
        params: { id: row.id },
        body: {
          payout_version: row.payout_version,
          payout: plainNumber(payout),
          applies_at: at === '' ? null : new Date(`${at}Z`).toISOString(),
        },
      })
      form.reset()
      toast({ tone: 'success', text: t('markets.announced', { value: payout, time: time(from) }) })
    }),
  )
  return (
    <Block title={t('markets.announce')}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <p className="text-fg-2">{t('markets.announce_text', { seconds: notice.data?.seconds ?? '–' })}</p>
        <Field
          label={t('markets.payout_field')}
          inputMode="decimal"
          error={errors.payout?.message}
          {...form.register('payout', { required: t('markets.needed') })}
        />
        <Field
          label={t('markets.applies_at')}
          hint={t('markets.applies_hint')}
          type="datetime-local"
          error={errors.applies_at?.message}
          {...form.register('applies_at')}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.announce')}
        </Button>
      </form>
    </Block>
  )
}
