import { FALLBACK_LANGUAGE, type LanguageCode, readLanguage } from '#messages/languages.ts'
import { setCurrentLanguage } from '#web/i18n/language.ts'

/** Sections of keys with their texts; a language may lack any of them. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

/** One chunk per language, fetched only when it is the chosen one. English is part of the app: it is the fallback. */
const LOADERS = import.meta.glob<Catalogue>(['../../messages/[a-z][a-z].json', '!../../messages/en.json'], {
  import: 'default',
})

let chosen: Catalogue = {}
let moreEnglish: Catalogue = {}

export function chosenCatalogue(): Catalogue {
  return chosen
}

/**
 * The English texts of all screens but the first: the build cuts them off `en.json`, since the log in should come
 * fast and needs few. Waited for before any other screen is drawn.
 */
export async function loadMoreTexts(): Promise<void> {
  moreEnglish = (await import('#web/i18n/more-texts.ts')).MORE_TEXTS
}

export function moreEnglishTexts(): Catalogue {
  return moreEnglish
}

/** The languages this build has texts for, English first. */
export function availableLanguages(): LanguageCode[] {
  const others = Object.keys(LOADERS).map((file) => readLanguage(codeOf(file)))
  return [FALLBACK_LANGUAGE, ...others.filter((code) => code !== null)]
}

/** Loads the texts of a language; English stays when it has none or the network fails. */
export async function loadLanguage(code: LanguageCode): Promise<void> {
  if (code === FALLBACK_LANGUAGE) return
  const load = Object.entries(LOADERS).find(([file]) => codeOf(file) === code)?.[1]
  try {
    if (load === undefined) throw new Error(`no texts for ${code}`)
    chosen = await load()
    setCurrentLanguage(code)
  } catch {
    setCurrentLanguage(FALLBACK_LANGUAGE) // A page in English beats no page.
  }
}

function codeOf(file: string): string {
  return file.replace(/^.*\/|\.json$/g, '')
}
