import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { StaffOut } from '#contract/back-office/session.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { callStaff, type StaffReply } from '#back-office/api/call-staff.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { SignInLayout } from '#back-office/pages/sign-in/sign-in-layout.tsx'
import { t } from '#back-office/i18n/t.ts'

interface CodeStepProps {
  step: StaffReply<typeof staffCalls.staffSignIn>
  onSignedIn: (staff: StaffOut) => void
  onBack: () => void
}

/** The second step of the log-in. */
export function CodeStep({ step, onSignedIn, onBack }: CodeStepProps) {
  const { ticket, demo_code: demoCode } = step
  const form = useForm({
    resolver: zodResolver(staffCalls.staffSignInCode.body),
    defaultValues: { ticket, code: '' },
  })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) =>
    setFormErrors(form, async () => onSignedIn(await callStaff(staffCalls.staffSignInCode, { body }))),
  )
  return (
    <SignInLayout title={t('sign_in.code_title')}>
      {demoCode !== null && (
        <Alert tone="info">
          {t('sign_in.demo_code')} <b className="num font-semibold">{demoCode}</b>
        </Alert>
      )}
      <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <Field
          {...form.register('code')}
          label={t('sign_in.code')}
          error={errors.code && (errors.code.type === 'told' ? errors.code.message : t('sign_in.code_needed'))}
          hint={demoCode !== null ? undefined : t('sign_in.code_hint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          ltr
        />
        <Button type="submit" loading={isSubmitting}>
          {t('sign_in.submit')}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {t('sign_in.back')}
        </Button>
      </form>
    </SignInLayout>
  )
}
