import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { BREAK_LENGTHS } from '#core/accounts/self-limits.ts'
import { readStaffDecimal } from '#core/money/staff-number.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { t } from '#back-office/i18n/t.ts'

const { min, max } = BREAK_LENGTHS.exclusion

interface ExcludeSheetProps {
  open: boolean
  onClose: () => void
  userId: string
}

/** The form for an exclusion that a user asked for by phone or letter. */
export function ExcludeSheet({ open, onClose, userId }: ExcludeSheetProps) {
  return (
    <Sheet open={open} onClose={onClose} title={t('users.exclude')} closeLabel={t('common.close')}>
      <ExcludeForm userId={userId} onClose={onClose} />
    </Sheet>
  )
}

function ExcludeForm({ userId, onClose }: Omit<ExcludeSheetProps, 'open'>) {
  const toast = useToast()
  const exclude = useStaffChange(staffCalls.staffExclude)
  const form = useForm({ defaultValues: { months: '', words: '' } })
  const { errors, isSubmitting } = form.formState
  const label = t('users.exclude_months', { min, max })
  const send = form.handleSubmit(({ months, words }) =>
    setFormErrors(form, async () => {
      await exclude.mutateAsync({ params: { id: userId }, body: { months: plainNumber(months), words } })
      toast({ tone: 'success', text: t('users.done') })
      onClose()
    }),
  )
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <p className="text-fg-2">{t('users.exclude_text')}</p>
      <Field
        {...form.register('months', {
          validate: (typed) => {
            const months = readStaffDecimal(typed, 0)
            return (months !== null && months >= min && months <= max) || label
          },
        })}
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        ltr
        error={errors.months?.message}
      />
      <TextArea
        {...form.register('words', { validate: (words) => words.trim() !== '' || t('refusal.words_needed') })}
        label={t('users.exclude_words')}
        maxLength={500}
        error={errors.words?.message}
      />
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onClose}>
          {t('users.cancel')}
        </Button>
        <Button type="submit" size="m" variant="danger" className="flex-1" loading={isSubmitting}>
          {t('users.exclude_do')}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}
