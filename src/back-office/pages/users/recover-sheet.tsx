import { useForm, useWatch } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { LOST } from '#core/accounts/recovery.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { t } from '#back-office/i18n/t.ts'

interface RecoverSheetProps {
  open: boolean
  onClose: () => void
  user: UserData
}

/** The form with which support requests the recovery of an account. */
export function RecoverSheet({ open, onClose, user }: RecoverSheetProps) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('recoveries.ask_title', { name: user.username })}
      closeLabel={t('common.close')}
    >
      <RecoverForm user={user} onClose={onClose} />
    </Sheet>
  )
}

const EMPTY = { second_step: false, contact: false, pin: false, new_address: '', words: '', deposits: '' }

function RecoverForm({ user, onClose }: Omit<RecoverSheetProps, 'open'>) {
  const toast = useToast()
  const ask = useStaffChange(staffCalls.staffAskRecovery, { alsoAreas: ['recoveries', 'counts'] })
  const form = useForm({ defaultValues: EMPTY })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((given) =>
    setFormErrors(form, async () => {
      const deposits = given.deposits.split(/[\s,]+/).filter((one) => one !== '')
      await ask.mutateAsync({
        params: { id: user.id },
        body: { lost: LOST.filter((one) => given[one]), new_address: given.new_address, words: given.words, deposits },
      })
      toast({ tone: 'success', text: t('recoveries.done_ask') })
      onClose()
    }),
  )
  const isContactLost = useWatch({ control: form.control, name: 'contact' })
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <p className="text-fg-2">{t('recoveries.ask_text')}</p>
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 text-small text-fg-2">{t('recoveries.lost')}</legend>
        {LOST.map((one) => (
          <Checkbox key={one} {...form.register(one)}>
            {t(`recoveries.lost_${one}`)}
          </Checkbox>
        ))}
      </fieldset>
      {isContactLost && (
        <Field
          {...form.register('new_address')}
          label={t('recoveries.new_email')}
          inputMode="email"
          autoComplete="off"
          maxLength={200}
          ltr
          error={errors.new_address?.message}
        />
      )}
      <TextArea
        {...form.register('words', { validate: (words) => words.trim() !== '' || t('refusal.words_needed') })}
        label={t('recoveries.ask_words')}
        maxLength={1000}
        error={errors.words?.message}
      />
      <Field
        {...form.register('deposits')}
        label={t('recoveries.ask_deposits')}
        autoComplete="off"
        ltr
        error={errors.deposits?.message}
      />
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onClose}>
          {t('users.cancel')}
        </Button>
        <Button type="submit" size="m" className="flex-1" loading={isSubmitting}>
          {t('recoveries.ask_do')}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}
