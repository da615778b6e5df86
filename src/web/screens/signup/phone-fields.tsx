import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { type CountryList, useLoadedCountries } from '#web/api/use-countries.ts'
import { usePhonePlan } from '#web/forms/phone-plan.ts'
import type { Form } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import type { SignupField } from '#web/screens/signup/signup-rules.ts'

export interface Countries {
  list: CountryList
  isLoading: boolean
}

/**
 * Returns the countries; empty while loading or after a failure. The country is optional, so the form works without
 * them.
 */
export function useCountries(): Countries {
  const loaded = useLoadedCountries()
  return { list: loaded.state === 'ready' ? loaded.data : [], isLoading: loaded.state === 'loading' }
}

/** The fields for the country, which sets the dialling code, and for the number. */
export function PhoneFields({ form, countries }: { form: Form<SignupField>; countries: Countries }) {
  const { list, isLoading } = countries
  usePhonePlan()
  const chosen = list.find((country) => country.countryCode === form.values.country_code)
  return (
    <>
      {(isLoading || list.length > 0) && (
        <Select
          label={t('signup.country')}
          name="country_code"
          autoComplete="country"
          value={form.values.country_code}
          error={form.errorOf('country_code')}
          disabled={isLoading}
          onChange={(code) => form.set('country_code', code)}
          options={[
            { value: '', label: t('signup.choose_country') },
            ...list.map(({ countryCode, country, dialCode }) => ({
              value: countryCode,
              label: `${country} (${dialCode})`,
            })),
          ]}
        />
      )}
      <Field
        {...form.field('mobile')}
        label={t('signup.mobile')}
        start={chosen && <span className="num mt-4 text-input font-medium text-fg-2">{chosen.dialCode}</span>}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        ltr
      />
    </>
  )
}
