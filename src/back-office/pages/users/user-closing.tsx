import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { useMay } from '#back-office/session/staff.ts'

/** Shows when a closing account is erased. After the erasure, an owner can open the kept record here. */
export function UserClosing({ user: { id, closing } }: { user: UserData }) {
  const mayOpen = useMay('records.open')
  if (closing === null) return null
  const isErased = closing.state === 'erased'
  return (
    <Card>
      <Block title={t('users.closing')}>
        <p className="text-fg-2">
          {isErased ? t('users.erased') : t('users.erases_at', { time: time(closing.erases_at) })}
        </p>
      </Block>
      {isErased && mayOpen && <ErasedRecord userId={id} />}
    </Card>
  )
}

function ErasedRecord({ userId }: { userId: string }) {
  const [record, setRecord] = useState<StaffReply<typeof staffCalls.staffOpenRecord> | null>(null)
  const open = useStaffChange(staffCalls.staffOpenRecord)
  const form = useForm({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) =>
    setFormErrors(form, async () => setRecord(await open.mutateAsync({ params: { id: userId }, body }))),
  )
  if (record !== null) {
    return (
      <>
        <p className="text-caption text-fg-3">{t('users.record_until', { time: time(record.until) })}</p>
        <pre dir="ltr" className="mono text-caption break-words whitespace-pre-wrap">
          {record.text}
        </pre>
      </>
    )
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <TextArea
        {...form.register('reason', { validate: (reason) => reason.trim() !== '' || t('refusal.reason_needed') })}
        label={t('users.record_reason')}
        rows={2}
        maxLength={500}
        error={errors.reason?.message}
      />
      <Button type="submit" size="m" variant="secondary" loading={isSubmitting}>
        {t('users.record_open')}
      </Button>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </form>
  )
}
