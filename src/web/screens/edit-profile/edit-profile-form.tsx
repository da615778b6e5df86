import { Button } from '#ui/button.tsx'
import { SectionLabel } from '#ui/card.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { call } from '#web/api/call.ts'
import type { CountryList } from '#web/api/use-countries.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { usePhonePlan } from '#web/forms/phone-plan.ts'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { mobileToSend, profileErrors, profileValues } from '#web/screens/edit-profile/edit-profile-rules.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import type { User } from '#web/session/session.ts'
import { takeUser } from '#web/site/refresh-user.ts'

interface EditProfileFormProps {
  user: User
  countries: CountryList
  onSending: () => void
  onSaved: () => void
}

export function EditProfileForm({ user, countries, onSending, onSaved }: EditProfileFormProps) {
  usePhonePlan()
  const form = useForm({
    initial: profileValues(user),
    validate: (values) => profileErrors(values, user.mobile_code),
    submit: async (values) => {
      onSending()
      const dialCode = dialCodeOf(values.country_code)
      const body = {
        ...values,
        mobile: mobileToSend(values.mobile, dialCode ?? user.mobile_code),
        ...(dialCode !== undefined && { mobile_code: dialCode }),
      }
      await takeUser(async () => (await call('POST /user/profile', { body })).data.user)
      onSaved()
      globalThis.scrollTo(0, 0)
    },
  })
  const dialCode = dialCodeOf(form.values.country_code)
  const isSensitive =
    form.values.username !== user.username ||
    mobileToSend(form.values.mobile, dialCode ?? user.mobile_code) !== user.mobile ||
    (dialCode !== undefined && dialCode !== user.mobile_code)

  function dialCodeOf(code: string): string | undefined {
    return countries.find((country) => country.countryCode === code)?.dialCode
  }

  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <div className="grid gap-3 md:grid-cols-2">
        <Field {...form.field('firstname')} label={t('edit_profile.firstname')} autoComplete="given-name" dir="auto" />
        <Field {...form.field('lastname')} label={t('edit_profile.lastname')} autoComplete="family-name" dir="auto" />
      </div>
      <Field
        {...form.field('username')}
        onChange={(event) => form.set('username', event.target.value.replace(/\s/g, ''))}
        label={t('edit_profile.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Select
        label={t('edit_profile.country')}
        name="country_code"
        autoComplete="country"
        value={form.values.country_code}
        error={form.errorOf('country_code')}
        onChange={(code) => form.set('country_code', code)}
        options={[
          { value: '', label: t('edit_profile.choose_country') },
          ...countries.map(({ countryCode, country, dialCode: code }) => ({
            value: countryCode,
            label: `${country} (${code})`,
          })),
        ]}
      />
      <Field
        {...form.field('mobile')}
        label={t('edit_profile.mobile')}
        start={dialCode !== undefined && <span className="num mt-4 text-input font-medium text-fg-2">{dialCode}</span>}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        ltr
      />
      <SectionLabel>{t('edit_profile.where')}</SectionLabel>
      <div className="grid grid-cols-2 gap-3">
        <Field {...form.field('city')} label={t('edit_profile.city')} autoComplete="address-level2" />
        <Field {...form.field('state')} label={t('edit_profile.state')} autoComplete="address-level1" />
      </div>
      <div className="grid gap-3 md:grid-cols-[160px_1fr]">
        <Field {...form.field('zip')} label={t('edit_profile.zip')} autoComplete="postal-code" ltr />
        <Field {...form.field('address')} label={t('edit_profile.address')} autoComplete="street-address" />
      </div>
      {isSensitive && <PauseNote />}
      <Button type="submit" loading={form.busy} className="mt-2">
        {t('edit_profile.save')}
      </Button>
    </form>
  )
}
