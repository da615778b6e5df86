import type { Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, type LanguageCode, LANGUAGES, readLanguage } from '#messages/languages.ts'
import { persistently, within } from '#ui/persistently.ts'
import { readJson } from '#ui/state/browser-storage.ts'
import { currentLanguage, setCurrentLanguage } from '#web/i18n/language.ts'

type Loaders = Readonly<Record<string, () => Promise<Texts>>>

/**
 * The texts of a language come in three chunks, fetched only when it is the chosen one: those of the frame and the log
 * in, which should come fast and needs few, those of trading, and those of all other screens. The plugin `splitTexts`
 * cuts them so and puts English where a language lacks a text. The first ones of English are part of the app.
 */
const FIRST: Loaders = import.meta.glob<Texts>(['../../messages/[a-z][a-z].json', '!../../messages/en.json'], {
  query: '?first',
  import: 'default',
})
const LATER = {
  trading: import.meta.glob<Texts>('../../messages/[a-z][a-z].json', { query: '?trading', import: 'default' }),
  more: import.meta.glob<Texts>('../../messages/[a-z][a-z].json', { query: '?more', import: 'default' }),
} satisfies Record<string, Loaders>
export type LaterTexts = keyof typeof LATER

let loaded: readonly Texts[] = []
const loading = new Map<LaterTexts, Promise<void>>()

/** Where the operator's own texts wait for the next visit. */
export const OWN_TEXTS = 'own-texts'

/** What the operator says instead of the texts of one language. */
interface OwnTexts {
  readonly language: string
  readonly version: string
  readonly texts: Texts
}
let own: OwnTexts | null = null

/** From now on these are said where there are any; those of another language are not. */
export function sayOwnTexts(texts: OwnTexts | null): void {
  own = texts?.language === currentLanguage().code ? texts : null
}

/** Which of them are said; empty for none. */
export function ownTextsVersion(): string {
  return own?.version ?? ''
}

/** What there is in the chosen language so far, the operator's own first, besides the first texts of English. */
export function loadedTexts(): readonly Texts[] {
  return own === null ? loaded : [own.texts, ...loaded]
}

/** The languages this build has texts for, English first. */
export function availableLanguages(): LanguageCode[] {
  const others = Object.keys(FIRST).map((file) => readLanguage(codeOf(file)))
  return [FALLBACK_LANGUAGE, ...others.filter((code) => code !== null)]
}

/** Longer than a slow line needs for the first texts, which are small. */
const TEXTS_WITHIN_MS = 8_000

/** Loads the first texts of a language; English stays when it has none or the network fails. */
export async function loadLanguage(code: LanguageCode): Promise<void> {
  const load = loaderOf(FIRST, code)
  // Those of the language before, when the app starts anew on the same page.
  const parts = [...loading.keys()]
  loading.clear()
  loadLetters(code)
  try {
    loaded = load === undefined ? [] : [await within(TEXTS_WITHIN_MS, persistently(load))]
    setCurrentLanguage(load === undefined ? FALLBACK_LANGUAGE : code)
  } catch {
    setCurrentLanguage(FALLBACK_LANGUAGE) // A page in English beats no page.
  }
  await Promise.all(parts.map((part) => loadTexts(part).catch(() => undefined)))
  // Written by this app alone.
  sayOwnTexts(readJson('localStorage', OWN_TEXTS) as OwnTexts | null)
}

/** The texts of the screens that are not the log in, each part once. Waited for before such a screen is drawn. */
export function loadTexts(part: LaterTexts): Promise<void> {
  const known = loading.get(part)
  if (known !== undefined) return known
  const started = add(part)
  loading.set(part, started)
  // What failed may be asked for again.
  started.catch(() => loading.delete(part))
  return started
}

async function add(part: LaterTexts): Promise<void> {
  const texts = await loaderOf(LATER[part], currentLanguage().code)?.()
  if (texts !== undefined) loaded = [...loaded, texts]
}

/** Letters that the face of the app lacks, where a web font has better ones than most systems. Not waited for. */
function loadLetters(code: LanguageCode): void {
  if (LANGUAGES[code].dir === 'rtl') import('#ui/styles/arabic.css').catch(() => undefined)
}

function loaderOf(loaders: Loaders, code: LanguageCode): Loaders[string] | undefined {
  return Object.entries(loaders).find(([file]) => codeOf(file) === code)?.[1]
}

function codeOf(file: string): string {
  return file.replace(/^.*\/|\.json$/g, '')
}
