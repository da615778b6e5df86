import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { TermsButton } from '#web/screens/signup/terms-button.tsx'
import { PhoneFields, useCountries } from '#web/screens/signup/phone-fields.tsx'
import { NO_SIGNUP_VALUES, signupErrors } from '#web/screens/signup/signup-rules.ts'
import { ownDevice } from '#web/security/device.ts'
import { useSettings } from '#web/site/settings.ts'

interface SignupFormProps {
  isDone: boolean
  onRegistered: (reply: Reply<'POST /user/auth/register'>) => void
}

export function SignupForm({ isDone, onRegistered }: SignupFormProps) {
  const settings = useSettings()
  const needsInvitation = settings?.invitation_code_status === 1
  const countries = useCountries()
  const agree = useAgreement()
  const form = useForm({
    initial: NO_SIGNUP_VALUES,
    validate: (values) => signupErrors(values, needsInvitation),
    submit: async ({ email, country_code, invitation_code, ...values }) => {
      const dialCode = countries.list.find((country) => country.countryCode === country_code)?.dialCode
      const { data } = await call('POST /user/auth/register', {
        body: {
          ...values,
          agree: agree.checked,
          device: ownDevice(),
          ...(email !== '' && { email }),
          ...(country_code !== '' && { country_code }),
          ...(dialCode !== undefined && { mobile_code: dialCode }),
          ...(needsInvitation && { invitation_code }),
        },
      })
      onRegistered(data)
    },
  })
  const eye = { showLabel: t('common.show_password'), hideLabel: t('common.hide_password') }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (agree.check()) form.onSubmit(event)
        else event.preventDefault()
      }}
      className="mt-3 flex flex-1 flex-col gap-3"
    >
      <FormFailure messages={form.failure} />
      <Field
        {...form.field('username')}
        onChange={(event) => form.set('username', event.target.value.replace(/\s/g, ''))}
        onKeyDown={(event) => event.key === ' ' && event.preventDefault()}
        label={t('signup.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PhoneFields form={form} countries={countries} />
      <Field
        {...form.field('email')}
        label={t('signup.email')}
        hint={t(settings?.outbox ? 'signup.email_hint_outbox' : 'signup.email_hint')}
        type="email"
        inputMode="email"
        autoComplete="email"
        ltr
      />
      <PasswordField
        {...form.field('password')}
        {...eye}
        label={t('signup.password')}
        placeholder={t('signup.password_hint')}
        hint={t('signup.password_hint')}
        autoComplete="new-password"
      />
      <PasswordField
        {...form.field('password_confirmation')}
        {...eye}
        label={t('signup.confirm_password')}
        autoComplete="new-password"
      />
      {needsInvitation && (
        <Field {...form.field('invitation_code')} label={t('signup.access_code')} autoComplete="off" ltr />
      )}
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <Checkbox
            checked={agree.checked}
            onChange={(event) => agree.set(event.target.checked)}
            aria-invalid={agree.error !== undefined}
            aria-describedby={agree.error === undefined ? undefined : 'agree-error'}
          >
            {t('signup.agree')}
          </Checkbox>
          <TermsButton />
        </div>
        {agree.error !== undefined && (
          <p id="agree-error" role="alert" className="text-caption font-medium text-danger">
            {agree.error}
          </p>
        )}
      </div>
      <div className="mt-auto pt-3 pb-6">
        <Button type="submit" loading={form.busy} disabled={isDone}>
          {t('signup.submit')}
        </Button>
      </div>
    </form>
  )
}

/** Ticked by default in a demo, as specified. With real money a pre-ticked box would not be consent. */
function useAgreement() {
  const isKnownDemo = useSettings()?.mode === 'demo'
  const [choice, setChoice] = useState<boolean | null>(null)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const checked = choice ?? isKnownDemo
  return {
    checked,
    set: setChoice,
    error: hasSubmitted && !checked ? t('signup.terms_required') : undefined,
    check: () => {
      setHasSubmitted(true)
      return checked
    },
  }
}
