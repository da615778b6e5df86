import { Controller, useForm, useWatch } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { addsMoney, ADJUSTMENT_KINDS, type AdjustmentKind } from '#core/wallet/adjustment-rules.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { money } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

interface AskCorrectionProps {
  user: { readonly id: string; readonly username: string; readonly cash: number }
  open: boolean
  onClose: () => void
}

/** The form that requests an adjustment of a balance. Another staff member decides it. */
export function AskCorrection({ user, open, onClose }: AskCorrectionProps) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('corrections.ask_title', { name: user.username })}
      closeLabel={t('common.close')}
    >
      <AskForm user={user} onClose={onClose} />
    </Sheet>
  )
}

function AskForm({ user, onClose }: Omit<AskCorrectionProps, 'open'>) {
  const toast = useToast()
  const form = useForm({
    defaultValues: { kind: 'credit' as AdjustmentKind, link: '', amount: '', reason: '', message: '' },
  })
  const ask = useStaffChange(staffCalls.staffRequestCorrection, { alsoAreas: ['counts'] })
  const kind = useWatch({ control: form.control, name: 'kind' })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((given) =>
    setFormErrors(form, async () => {
      await ask.mutateAsync({ body: { ...given, amount: plainAmount(given.amount), user_id: user.id } })
      toast({ tone: 'success', text: t('corrections.asked') })
      onClose()
    }),
  )
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <p className="text-fg-2">{t('corrections.ask_text')}</p>
      <Controller
        control={form.control}
        name="kind"
        render={({ field: { value, onChange } }) => (
          <Select
            label={t('corrections.kind')}
            options={ADJUSTMENT_KINDS.map((kind) => ({ value: kind, label: t(`corrections.kind_${kind}`) }))}
            value={value}
            onChange={onChange}
          />
        )}
      />
      {!addsMoney(kind) && (
        <Field
          {...form.register('link')}
          label={t('corrections.link')}
          maxLength={60}
          ltr
          error={errors.link?.message}
        />
      )}
      <Controller
        control={form.control}
        name="amount"
        render={({ field: { value, onChange, onBlur, ref } }) => (
          <AmountField
            label={t('corrections.amount')}
            aside={t('corrections.at_hand', { amount: money(user.cash) })}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            ref={ref}
            error={errors.amount?.message}
          />
        )}
      />
      <TextArea
        {...form.register('reason', { validate: (reason) => reason.trim() !== '' || t('refusal.reason_needed') })}
        label={t('users.reason_staff')}
        maxLength={500}
        error={errors.reason?.message}
      />
      <TextArea
        {...form.register('message', { validate: (message) => message.trim() !== '' || t('refusal.reason_needed') })}
        label={t('corrections.message')}
        maxLength={500}
        error={errors.message?.message}
      />
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onClose}>
          {t('users.cancel')}
        </Button>
        <Button type="submit" size="m" className="flex-1" loading={isSubmitting}>
          {t('corrections.ask')}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}
