import { FALLBACK_LANGUAGE, LANGUAGES, type Language, type LanguageCode, readLanguage } from '#messages/languages.ts'
import { outlivesPage, readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'lang'

/** The language of this page load. Choosing another reloads the app, as the specification has it, so it never changes. */
let current: LanguageCode = readLanguage(readItem('localStorage', KEY)) ?? FALLBACK_LANGUAGE

export function currentLanguage(): Language {
  return LANGUAGES[current]
}

/** Whether the user ever chose; if not, the site's default counts. */
export function languageWasChosen(): boolean {
  return readLanguage(readItem('localStorage', KEY)) !== null
}

let startAnew: ((code: LanguageCode) => void) | null = null

/** How the app starts anew in another language without loading the page, which would forget everything without storage. */
export function onLanguageChosen(start: (code: LanguageCode) => void): void {
  startAnew = start
}

/** Keeps the choice and starts the app anew at the root. */
export function chooseLanguage(code: LanguageCode): void {
  writeItem('localStorage', KEY, code)
  if (outlivesPage('localStorage', KEY) || startAnew === null) globalThis.location.assign('/')
  else startAnew(code)
}

/** Only while starting, before anything is drawn: what could not be loaded falls back. */
export function setCurrentLanguage(code: LanguageCode): void {
  current = code
  const { tag, dir } = LANGUAGES[code]
  document.documentElement.lang = tag
  document.documentElement.dir = dir
}
