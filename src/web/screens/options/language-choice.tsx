import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Select } from '#ui/select.tsx'
import { chooseLanguage, currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { offeredLanguages } from '#web/site/settings.ts'

/** The static list of the specification, in its order and spelling, with the app's language for each name, if any. */
const NAMES: readonly { readonly name: string; readonly code: LanguageCode | null }[] = [
  { name: 'English', code: 'en' },
  { name: 'Vietnamese', code: 'vi' },
  { name: 'Bahasa Indonesia', code: 'id' },
  { name: 'China', code: 'tw' },
  { name: 'Japanese', code: 'ja' },
  { name: 'Brasil', code: 'pt' },
  { name: 'Francais', code: 'fr' },
  { name: 'Deutsch', code: 'de' },
  { name: 'Italiano', code: 'it' },
  { name: 'Polski', code: null },
  { name: 'Cestina', code: null },
  { name: 'Romania', code: null },
  { name: 'Portugal', code: 'pt' },
  { name: 'Espana', code: 'es' },
  { name: 'India', code: null },
]

/**
 * The choice of language: fifteen fixed names and the other languages that the site offers. Names without an offered
 * language are marked and disabled.
 */
export function LanguageChoice() {
  const offered = offeredLanguages()
  const others = offered.filter((code) => NAMES.every((one) => one.code !== code))
  const names = [...NAMES, ...others.map((code) => ({ name: LANGUAGES[code].name, code }))]
  const chosen = names.find(({ code }) => code === currentLanguage().code)?.name ?? ''
  return (
    <Select
      label={t('shell.language')}
      name="language"
      value={chosen}
      onChange={(name) => {
        const code = names.find((one) => one.name === name)?.code ?? null
        if (code !== null) chooseLanguage(code)
      }}
      options={names.map(({ name, code }) => {
        const isOffered = code !== null && offered.includes(code)
        return {
          value: name,
          label: isOffered ? name : `${name} · ${t('options.not_available')}`,
          disabled: !isOffered,
        }
      })}
      hint={t('options.language_hint')}
    />
  )
}
