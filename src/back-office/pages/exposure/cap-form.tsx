import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { ExposureRow } from '#contract/back-office/exposure.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { firstAbove } from '#core/markets/caps/max-stake-orders.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money, moneyNumber, parseMoney } from '#core/money/money.ts'
import { readAmount } from '#core/money/typed-amount.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { useEdited } from '#back-office/forms/use-edited.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { durationText } from '#back-office/terms/duration-text.ts'

type MaxStakes = StaffReply<typeof staffCalls.staffExposure>['largest']

/** Sets or removes a cap, with a preview of the largest order that fits. */
export function CapForm({ row, largest }: { row: ExposureRow; largest: MaxStakes }) {
  const toast = useToast()
  const save = useStaffChange(staffCalls.staffSaveCap)
  const form = useForm({ defaultValues: valuesOf(row) })
  const { base, isOld, reload } = useEdited(row, form, valuesOf)
  const [isConfirmed, setIsConfirmed] = useState(false)
  const { errors, isSubmitting, isDirty } = form.formState
  const typed = useWatch({ control: form.control, name: 'most' })
  const amount = amountOf(typed)
  const orders = largest.map(({ seconds, profit }) => ({ seconds, profit: parseMoney(String(profit)) ?? money(0) }))
  const above = amount === null ? null : firstAbove(orders, amount)
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const wanted = amountOf(values.most)
      if (values.most.trim() !== '' && wanted === null) {
        form.setError('most', { message: t('refusal.cap_invalid') })
        return
      }
      const { scope, key, version } = base
      const body = { scope, key, most: wanted === null ? null : moneyNumber(wanted), version, reason: values.reason }
      const saved = await save.mutateAsync({ body: { ...body, confirmed: isConfirmed } })
      form.reset({ ...values, reason: '' })
      setIsConfirmed(false)
      toast({ tone: 'success', text: t('exposure.saved', { time: time(saved.applies_at) }) })
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3 pt-2">
      <ChangedMeanwhile isOld={isOld && isDirty && !isSubmitting} reload={reload} />
      <FormFailure form={form} />
      <Field
        label={t('exposure.most')}
        hint={t('exposure.most_hint')}
        inputMode="decimal"
        error={errors.most?.message}
        {...form.register('most')}
      />
      <output className="text-caption text-fg-2">{previewText(orders, amount)}</output>
      {above !== null && (
        <Checkbox checked={isConfirmed} onChange={(event) => setIsConfirmed(event.target.checked)}>
          {t('exposure.confirm')}
        </Checkbox>
      )}
      <Field
        label={t('exposure.reason')}
        maxLength={300}
        error={errors.reason?.message}
        {...form.register('reason', { required: t('refusal.reason_needed') })}
      />
      <Button type="submit" size="m" loading={isSubmitting}>
        {t('exposure.save')}
      </Button>
    </form>
  )
}

function valuesOf({ most }: ExposureRow) {
  return { most: most === null ? '' : String(most), reason: '' }
}

function amountOf(typed: string): Money | null {
  const read = readAmount(typed, BASE_CURRENCY, '.')
  return read.ok && read.amount > 0n ? money(read.amount) : null
}

/** Names the first duration whose largest order is above the cap, or else the duration with the largest order. */
function previewText(orders: readonly { readonly seconds: number; readonly profit: Money }[], most: Money | null) {
  const widest = orders.reduce<(typeof orders)[number] | null>(
    (best, one) => (best === null || one.profit > best.profit ? one : best),
    null,
  )
  if (most === null || widest === null) return t('exposure.preview_none')
  const above = firstAbove(orders, most)
  return above === null
    ? t('exposure.preview_fits', { duration: durationText(widest.seconds) })
    : t('exposure.preview_above', { duration: durationText(above.seconds) })
}
