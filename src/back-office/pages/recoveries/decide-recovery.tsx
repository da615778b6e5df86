import { useForm } from 'react-hook-form'
import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

const AREAS = { alsoAreas: ['counts', 'users'] }

/**
 * Buttons to confirm the recovery, to send the link and to stop the recovery. Each is shown only if this staff member
 * may use it.
 */
export function DecideRecovery({ recovery }: { recovery: RecoveryRow }) {
  const toast = useToast()
  const { id, content_hash: hash, state, opens_at: opensAt } = recovery
  const say = (text: string) => toast({ tone: 'success', text })
  const confirm = useStaffChange(staffCalls.staffConfirmRecovery, {
    onDone: (done) => say(t('recoveries.done_confirm', { time: time(done.opens_at) })),
    ...AREAS,
  })
  const send = useStaffChange(staffCalls.staffSendRecoveryLink, {
    onDone: () => say(t('recoveries.done_send')),
    ...AREAS,
  })
  const failure = confirm.error ?? send.error
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {state === 'asked' && (
        <p className="text-fg-2">{t(recovery.may_confirm ? 'recoveries.confirm_help' : 'recoveries.own_help')}</p>
      )}
      {recovery.may_confirm && (
        <Button
          size="m"
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ params: { id }, body: { content_hash: hash } })}
        >
          {t('recoveries.confirm')}
        </Button>
      )}
      {state === 'waiting' && opensAt !== null && (
        <p className="text-fg-2">
          {recovery.may_send ? t('recoveries.send_help') : t('recoveries.wait_help', { time: time(opensAt) })}
        </p>
      )}
      {recovery.may_send && (
        <Button size="m" loading={send.isPending} onClick={() => send.mutate({ params: { id } })}>
          {t('recoveries.send')}
        </Button>
      )}
      {recovery.may_stop && <StopForm id={id} onDone={() => say(t('recoveries.done_stop'))} />}
    </div>
  )
}

function StopForm({ id, onDone }: { id: string; onDone: () => void }) {
  const stop = useStaffChange(staffCalls.staffStopRecovery, AREAS)
  const form = useForm({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(({ reason }) =>
    setFormErrors(form, async () => {
      await stop.mutateAsync({ params: { id }, body: { reason } })
      onDone()
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3 border-t border-line pt-3">
      <FormFailure form={form} />
      <Field
        {...form.register('reason', { validate: (reason) => reason.trim() !== '' || t('refusal.reason_needed') })}
        label={t('recoveries.reason')}
        maxLength={500}
        error={errors.reason?.message}
      />
      <Button type="submit" size="m" variant="danger" loading={isSubmitting}>
        {t('recoveries.stop')}
      </Button>
    </form>
  )
}
