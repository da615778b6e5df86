import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { LANGUAGES } from '#messages/languages.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

export interface Country {
  readonly countryCode: string
  readonly country: string
  readonly dialCode: string
}

const listed = new Map<Language, readonly Country[]>()

/** Lists countries with a dialling code, named and sorted for the language. */
export function countriesIn(language: Language): readonly Country[] {
  const known = listed.get(language)
  if (known) return known
  const tags = [LANGUAGES[language].tag, 'en']
  const names = new Intl.DisplayNames(tags, { type: 'region' })
  const { compare } = new Intl.Collator(tags)
  const countries = getCountries()
    .map((code) => ({
      countryCode: code,
      country: names.of(code) ?? code,
      dialCode: `+${getCountryCallingCode(code)}`,
    }))
    .toSorted((a, b) => compare(a.country, b.country))
  listed.set(language, countries)
  return countries
}
