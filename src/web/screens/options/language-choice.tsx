import type { LanguageCode } from '#messages/languages.ts'
import { Select } from '#ui/select.tsx'
import { chooseLanguage, currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { offeredLanguages } from '#web/shell/settings.ts'

/** The specification's static list, in its order and spelling, with the language of each that the app may have. */
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

/** The language as one of fifteen names: those the site offers switch to it, the others are marked and cannot be chosen. */
export function LanguageChoice() {
  const offered = offeredLanguages()
  const current = currentLanguage().code
  const chosen = NAMES.find(({ code }) => code === current)?.name ?? ''
  return (
    <Select
      label={t('shell.language')}
      name="language"
      value={chosen}
      onChange={(name) => {
        const code = NAMES.find((one) => one.name === name)?.code ?? null
        if (code !== null) chooseLanguage(code)
      }}
      options={[
        // Spoken here, but not on the list: chosen on the screen of languages.
        ...(chosen === '' ? [{ value: '', label: currentLanguage().name }] : []),
        ...NAMES.map(({ name, code }) => {
          const isOffered = code !== null && offered.includes(code)
          return {
            value: name,
            label: isOffered ? name : `${name} · ${t('options.not_available')}`,
            disabled: !isOffered,
          }
        }),
      ]}
      hint={t('options.language_hint')}
    />
  )
}
