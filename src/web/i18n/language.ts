import { FALLBACK_LANGUAGE, LANGUAGES, type Language, type LanguageCode, readLanguage } from '#messages/languages.ts'
import { outlivesPage, readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'lang'
/** One year: how long the browser keeps the cookie. */
const COOKIE_SECONDS = 31_536_000

/**
 * The language of this page load. Choosing another one restarts the app, as specified, so screens can treat it as
 * constant.
 */
let current: LanguageCode = readLanguage(readItem('localStorage', KEY)) ?? FALLBACK_LANGUAGE

export function currentLanguage(): Language {
  return LANGUAGES[current]
}

/** Whether the user has chosen a language. If not, the site's default applies. */
export function languageWasChosen(): boolean {
  return readLanguage(readItem('localStorage', KEY)) !== null
}

/**
 * The server renders the page in this language. If cookies are blocked, the server uses the site's default language.
 */
function rememberForServer(code: LanguageCode): void {
  try {
    if (!document.cookie.split(/; */).includes(`${KEY}=${code}`))
      document.cookie = `${KEY}=${code}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
  } catch {
    // Cookies are blocked.
  }
}

let startAnew: ((code: LanguageCode) => void) | null = null

/**
 * Registers how the app restarts in another language. A page load instead would lose all state when storage is blocked.
 */
export function onLanguageChosen(start: (code: LanguageCode) => void): void {
  startAnew = start
}

/** Stores the choice and restarts the app at the root. */
export function chooseLanguage(code: LanguageCode): void {
  writeItem('localStorage', KEY, code)
  rememberForServer(code)
  if (outlivesPage('localStorage', KEY) || startAnew === null) globalThis.location.assign('/')
  else startAnew(code)
}

/**
 * Sets the language during the start, before the first render. For a language that failed to load, the caller passes
 * the fallback language.
 */
export function setCurrentLanguage(code: LanguageCode): void {
  current = code
  if (languageWasChosen()) rememberForServer(code)
  const { tag, dir } = LANGUAGES[code]
  document.documentElement.lang = tag
  document.documentElement.dir = dir
}
