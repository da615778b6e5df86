import type { Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, type LanguageCode, LANGUAGES, readLanguage } from '#messages/languages.ts'
import { currentLanguage, setCurrentLanguage } from '#web/i18n/language.ts'

type Loaders = Readonly<Record<string, () => Promise<Texts>>>

/**
 * Two chunks per language, fetched only when it is the chosen one: the texts of the log in, which should come fast and
 * needs few, and those of all other screens. The plugin `splitLanguages` cuts them so and puts English where a
 * language lacks a text, so English itself, whose first texts are part of the app, is not fetched besides.
 */
const FIRST: Loaders = import.meta.glob<Texts>(['../../messages/[a-z][a-z].json', '!../../messages/en.json'], {
  query: '?first',
  import: 'default',
})
const MORE: Loaders = import.meta.glob<Texts>(['../../messages/[a-z][a-z].json', '!../../messages/en.json'], {
  query: '?more',
  import: 'default',
})

let chosen: readonly Texts[] = []
let moreEnglish: Texts = {}

/** What there is in the chosen language so far; nothing while that is English. */
export function chosenTexts(): readonly Texts[] {
  return chosen
}

export function moreEnglishTexts(): Texts {
  return moreEnglish
}

/** The languages this build has texts for, English first. */
export function availableLanguages(): LanguageCode[] {
  const others = Object.keys(FIRST).map((file) => readLanguage(codeOf(file)))
  return [FALLBACK_LANGUAGE, ...others.filter((code) => code !== null)]
}

/** Loads the first texts of a language; English stays when it has none or the network fails. */
export async function loadLanguage(code: LanguageCode): Promise<void> {
  const load = loaderOf(FIRST, code)
  loadLetters(code)
  try {
    chosen = load === undefined ? [] : [await load()]
    setCurrentLanguage(load === undefined ? FALLBACK_LANGUAGE : code)
  } catch {
    setCurrentLanguage(FALLBACK_LANGUAGE) // A page in English beats no page.
  }
}

/** The texts of all screens but the log in. Waited for before any other screen is drawn. */
export async function loadMoreTexts(): Promise<void> {
  const load = loaderOf(MORE, currentLanguage().code)
  if (load === undefined) moreEnglish = (await import('#web/i18n/more-texts.ts')).MORE_TEXTS
  else if (chosen.length === 1) chosen = [...chosen, await load()]
}

/** Letters that the face of the app lacks, where a web font has better ones than most systems. Not waited for. */
function loadLetters(code: LanguageCode): void {
  if (LANGUAGES[code].dir === 'rtl') import('#web/styles/arabic.css').catch(() => undefined)
}

function loaderOf(loaders: Loaders, code: LanguageCode): Loaders[string] | undefined {
  return Object.entries(loaders).find(([file]) => codeOf(file) === code)?.[1]
}

function codeOf(file: string): string {
  return file.replace(/^.*\/|\.json$/g, '')
}
