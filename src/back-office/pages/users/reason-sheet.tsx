import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '#ui/button.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { t } from '#back-office/i18n/t.ts'

interface ReasonSheetProps {
  open: boolean
  onClose: () => void
  title: string
  /** Explains the effect of the change. */
  text: string
  isReadByUser?: boolean
  isDanger: boolean
  user: UserData
  send: (given: { version: number; reason: string }) => Promise<unknown>
}

/** Changes one permission of a user, with a reason. */
export function ReasonSheet(props: ReasonSheetProps) {
  const { open, onClose, title } = props
  return (
    <Sheet open={open} onClose={onClose} title={title} closeLabel={t('common.close')}>
      <ReasonForm {...props} />
    </Sheet>
  )
}

function ReasonForm(props: ReasonSheetProps) {
  const { onClose, title, text, isReadByUser = false, isDanger, user, send } = props
  const toast = useToast()
  // The version shown when the form opened. The server refuses the save if another staff member has saved since.
  const [{ version }] = useState(user)
  const form = useForm({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(({ reason }) =>
    setFormErrors(form, async () => {
      await send({ version, reason })
      toast({ tone: 'success', text: t('users.done') })
      onClose()
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <p className="text-fg-2">{text}</p>
      <TextArea
        {...form.register('reason', {
          validate: (reason) =>
            reason.trim() !== '' || t(isReadByUser ? 'refusal.words_needed' : 'refusal.reason_needed'),
        })}
        label={t(isReadByUser ? 'users.reason_read' : 'users.reason_staff')}
        maxLength={500}
        error={errors.reason?.message}
        data-initial-focus
      />
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onClose}>
          {t('users.cancel')}
        </Button>
        <Button
          type="submit"
          size="m"
          variant={isDanger ? 'danger' : 'primary'}
          className="flex-1"
          loading={isSubmitting}
        >
          {title}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}
