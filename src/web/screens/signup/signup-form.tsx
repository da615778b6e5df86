import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useLoaded } from '#web/api/use-loaded.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { ConsentFields, useConsentBoxes } from '#web/screens/signup/consent-boxes.tsx'
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
  const boxes = useConsentBoxes()
  const terms = useLoaded(loadTerms)
  const form = useForm({
    initial: NO_SIGNUP_VALUES,
    validate: (values) => signupErrors(values, needsInvitation),
    submit: async ({ email, country_code, invitation_code, ...values }) => {
      const dialCode = countries.list.find((country) => country.countryCode === country_code)?.dialCode
      const sent = call('POST /user/auth/register', {
        body: {
          ...values,
          agree: boxes.agrees,
          ...(boxes.asksAge && { age: boxes.isOldEnough }),
          ...(terms.state === 'ready' && { terms_version: terms.data.current.version }),
          device: ownDevice(),
          ...(email !== '' && { email }),
          ...(country_code !== '' && { country_code }),
          ...(dialCode !== undefined && { mobile_code: dialCode }),
          ...(needsInvitation && { invitation_code }),
        },
      })
      // The terms have changed. The new text is loaded, so that the user can read it before the next attempt.
      sent.catch((error: unknown) => {
        if (error instanceof CallFailure && error.code === 'terms_changed' && terms.state === 'ready') terms.reload()
      })
      onRegistered((await sent).data)
    },
  })
  const eye = { showLabel: t('common.show_password'), hideLabel: t('common.hide_password') }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (boxes.check()) form.onSubmit(event)
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
      <ConsentFields boxes={boxes} country={form.values.country_code} terms={terms} />
      <div className="mt-auto pt-3 pb-6">
        <Button type="submit" loading={form.busy} disabled={isDone}>
          {t('signup.submit')}
        </Button>
      </div>
    </form>
  )
}

async function loadTerms(signal: AbortSignal): Promise<Reply<'GET /user/terms'>> {
  return (await call('GET /user/terms', { signal })).data
}
