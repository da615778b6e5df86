import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { t } from '#back-office/i18n/t.ts'

interface LimitsSheetProps {
  open: boolean
  onClose: () => void
  user: UserData
}

/** The form for one user's limits on stakes and withdrawals. */
export function LimitsSheet({ open, onClose, user }: LimitsSheetProps) {
  return (
    <Sheet open={open} onClose={onClose} title={t('users.limits_change')} closeLabel={t('common.close')}>
      <LimitsForm user={user} onClose={onClose} />
    </Sheet>
  )
}

function LimitsForm({ user, onClose }: Omit<LimitsSheetProps, 'open'>) {
  const toast = useToast()
  // The version shown when the form opened. The server refuses the save if another staff member has saved since.
  const [{ version, limits }] = useState(user)
  const form = useForm({
    defaultValues: {
      max_stake: textOf(limits.max_stake),
      max_open_stake: textOf(limits.max_open_stake),
      withdrawals: limits.withdrawals,
      withdrawals_reason: limits.withdrawals_reason,
      reason: '',
    },
  })
  const change = useStaffChange(staffCalls.staffSetLimits)
  const { errors, isSubmitting } = form.formState
  const mayWithdraw = useWatch({ control: form.control, name: 'withdrawals' })
  const send = form.handleSubmit(({ max_stake: stake, max_open_stake: openStake, ...given }) =>
    setFormErrors(form, async () => {
      const body = {
        ...given,
        version,
        max_stake: plainAmount(stake) || null,
        max_open_stake: plainAmount(openStake) || null,
      }
      await change.mutateAsync({ params: { id: user.id }, body })
      toast({ tone: 'success', text: t('users.done') })
      onClose()
    }),
  )
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <p className="text-fg-2">{t('users.limits_text')}</p>
      {(['max_stake', 'max_open_stake'] as const).map((name) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field: { value, onChange, onBlur, ref } }) => (
            <AmountField
              label={t(`users.${name}`)}
              value={value}
              onChange={onChange}
              onBlur={onBlur}
              ref={ref}
              hint={t('users.max_stake_hint')}
              error={errors[name]?.message}
            />
          )}
        />
      ))}
      <Checkbox {...form.register('withdrawals')}>{t('users.withdrawals_allowed')}</Checkbox>
      {!mayWithdraw && (
        <TextArea
          {...form.register('withdrawals_reason', {
            validate: (words) => words.trim() !== '' || t('refusal.words_needed'),
          })}
          label={t('users.withdrawals_reason')}
          maxLength={500}
          error={errors.withdrawals_reason?.message}
        />
      )}
      <TextArea
        {...form.register('reason', { validate: (reason) => reason.trim() !== '' || t('refusal.reason_needed') })}
        label={t('users.reason_read')}
        rows={2}
        maxLength={500}
        error={errors.reason?.message}
      />
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onClose}>
          {t('users.cancel')}
        </Button>
        <Button type="submit" size="m" className="flex-1" loading={isSubmitting}>
          {t('users.save')}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}

const textOf = (limit: number | null) => (limit === null ? '' : limit.toFixed(2))
