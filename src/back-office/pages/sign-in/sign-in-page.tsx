import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { StaffOut } from '#contract/back-office/session.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { callStaff, type StaffReply } from '#back-office/api/call-staff.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { CodeStep } from '#back-office/pages/sign-in/code-step.tsx'
import { SignInLayout } from '#back-office/pages/sign-in/sign-in-layout.tsx'
import { t } from '#back-office/i18n/t.ts'

type Step = StaffReply<typeof staffCalls.staffSignIn>

/** The log-in: name and password, then the code of the authenticator app. */
export function SignInPage({ onSignedIn }: { onSignedIn: (staff: StaffOut) => void }) {
  const [step, setStep] = useState<Step | null>(null)
  if (step !== null) return <CodeStep step={step} onSignedIn={onSignedIn} onBack={() => setStep(null)} />
  return (
    <SignInLayout title={t('sign_in.title')}>
      <PasswordStep onDone={setStep} />
    </SignInLayout>
  )
}

function PasswordStep({ onDone }: { onDone: (step: Step) => void }) {
  const form = useForm({
    resolver: zodResolver(staffCalls.staffSignIn.body),
    defaultValues: { name: '', password: '' },
  })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) =>
    setFormErrors(form, async () => onDone(await callStaff(staffCalls.staffSignIn, { body }))),
  )
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <Field
        {...form.register('name')}
        label={t('sign_in.name')}
        error={errors.name && t('sign_in.name_needed')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...form.register('password')}
        label={t('sign_in.password')}
        error={errors.password && t('sign_in.password_needed')}
        autoComplete="current-password"
        showLabel={t('sign_in.show')}
        hideLabel={t('sign_in.hide')}
      />
      <Button type="submit" loading={isSubmitting}>
        {t('sign_in.next')}
      </Button>
    </form>
  )
}
