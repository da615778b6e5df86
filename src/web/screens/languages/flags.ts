import type { LanguageCode } from '#messages/languages.ts'

/** A picture file per language, loaded only with the list of languages. */
const FILES = import.meta.glob<string>('../../art/flags/*.svg', { eager: true, query: '?url', import: 'default' })

export function flagOf(code: LanguageCode): string | undefined {
  return FILES[`../../art/flags/${code}.svg`]
}
