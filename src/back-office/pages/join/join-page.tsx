import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { Field } from '#ui/field.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { callStaff, failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { EnrolHelp } from '#back-office/pages/sign-in/enrol-help.tsx'
import { SignInLayout } from '#back-office/pages/sign-in/sign-in-layout.tsx'
import { t } from '#back-office/i18n/t.ts'

const MIN_PASSWORD_LENGTH = 12

/**
 * The page that an invitation links to: the staff member chooses a password and sets up an authenticator app, then logs
 * in. The token is in the hash of the URL.
 */
export function JoinPage() {
  const [joined, setJoined] = useState<string | null>(null)
  const token = globalThis.location.hash.slice(1)
  const form = useForm({ defaultValues: { password: '', again: '', code: '' } })
  const [invitation, setInvitation] = useState<StaffReply<typeof staffCalls.staffOpenInvitation> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    callStaff(staffCalls.staffOpenInvitation, { body: { token } }).then(setInvitation, setFailure)
  }, [token])
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit(({ password, code }) =>
    setFormErrors(form, async () => {
      const { name } = await callStaff(staffCalls.staffJoin, { body: { token, password, code } })
      setJoined(name)
    }),
  )
  if (joined !== null) {
    return (
      <SignInLayout title={t('join.done')}>
        <Alert tone="success">{t('join.done_text', { name: joined })}</Alert>
        <ButtonLink href="/">{t('join.sign_in')}</ButtonLink>
      </SignInLayout>
    )
  }
  if (invitation === null) {
    return (
      <SignInLayout title={t('join.title')}>
        {failure === null ? (
          <section aria-busy="true" aria-label={t('common.loading')}>
            <SkeletonRows count={4} />
          </section>
        ) : (
          <Alert tone="danger">{failureText(failure)}</Alert>
        )}
      </SignInLayout>
    )
  }
  return (
    <SignInLayout title={t('join.title')}>
      <p className="text-fg-2">{t('join.help')}</p>
      <EnrolHelp secret={invitation.secret} uri={invitation.uri} />
      <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <PasswordField
          {...form.register('password', {
            minLength: { value: MIN_PASSWORD_LENGTH, message: t('join.too_short') },
            required: t('join.too_short'),
          })}
          label={t('sign_in.password')}
          error={errors.password?.message}
          hint={t('join.password_hint')}
          autoComplete="new-password"
          showLabel={t('sign_in.show')}
          hideLabel={t('sign_in.hide')}
        />
        <PasswordField
          {...form.register('again', { validate: (again, { password }) => again === password || t('join.differ') })}
          label={t('join.again')}
          error={errors.again?.message}
          autoComplete="new-password"
          showLabel={t('sign_in.show')}
          hideLabel={t('sign_in.hide')}
        />
        <Field
          {...form.register('code', {
            pattern: { value: /^\d{6}$/, message: t('sign_in.code_needed') },
            required: t('sign_in.code_needed'),
          })}
          label={t('sign_in.code')}
          error={errors.code?.message}
          hint={t('sign_in.code_hint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          ltr
        />
        <Button type="submit" loading={isSubmitting}>
          {t('join.submit')}
        </Button>
      </form>
    </SignInLayout>
  )
}
