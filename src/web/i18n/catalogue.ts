import type { Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, type LanguageCode, readLanguage } from '#messages/languages.ts'
import { retry, withTimeout } from '#ui/retry.ts'
import { readJson } from '#ui/state/browser-storage.ts'
import { currentLanguage, setCurrentLanguage } from '#web/i18n/language.ts'
import { loadLetters } from '#web/i18n/letters.ts'

type Loaders = Readonly<Record<string, () => Promise<Texts>>>

/**
 * The texts of a language come in three chunks, loaded only for the chosen language. The first is small and has the
 * texts of the frame and the log-in. The others hold the texts of trading and of all other screens. The plugin
 * `splitTexts` cuts the chunks and fills missing texts with English. The first English chunk is part of the app.
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

/** Storage key of the operator's text overrides, kept for the next visit. */
export const OWN_TEXTS = 'own-texts'

/** The operator's overrides of texts in one language. */
interface OwnTexts {
  readonly language: string
  readonly version: string
  readonly texts: Texts
}
let own: OwnTexts | null = null

/** Sets the overrides to use. Overrides for another language than the current one are ignored. */
export function sayOwnTexts(texts: OwnTexts | null): void {
  own = texts?.language === currentLanguage().code ? texts : null
}

/** Returns the version of the overrides in use; empty for none. */
export function ownTextsVersion(): string {
  return own?.version ?? ''
}

/** Returns the loaded texts in the chosen language, overrides first. The first English texts are not included. */
export function loadedTexts(): readonly Texts[] {
  return own === null ? loaded : [own.texts, ...loaded]
}

/** Lists the languages with texts in this build, English first. */
export function availableLanguages(): LanguageCode[] {
  const others = Object.keys(FIRST).map((file) => readLanguage(codeOf(file)))
  return [FALLBACK_LANGUAGE, ...others.filter((code) => code !== null)]
}

/** 8 s: longer than a slow connection needs for the first texts, which are small. */
const TEXTS_WITHIN_MS = 8_000

/** Loads the first texts of a language. English stays if there are none or the network fails. */
export async function loadLanguage(code: LanguageCode): Promise<void> {
  const load = loaderOf(FIRST, code)
  // The app restarts on the same page in another language: the loaded parts are replaced.
  const before = [...loading.keys()]
  loading.clear()
  const letters = loadLetters(code)
  try {
    loaded = load === undefined ? [] : [await withTimeout(TEXTS_WITHIN_MS, retry(load))]
    setCurrentLanguage(load === undefined ? FALLBACK_LANGUAGE : code)
  } catch {
    setCurrentLanguage(FALLBACK_LANGUAGE) // A page in English is better than an empty one.
  }
  // Parts that a screen requested in the meantime came in the language before.
  const parts = new Set([...before, ...loading.keys()])
  loading.clear()
  await Promise.all([letters, ...[...parts].map((part) => loadTexts(part).catch(() => undefined))])
  // Only this app writes the item, so its content is not validated.
  sayOwnTexts(readJson('localStorage', OWN_TEXTS) as OwnTexts | null)
}

/**
 * Loads the texts of trading, or of all other screens, once per language. A screen other than the log-in renders only
 * after its texts have loaded.
 */
export function loadTexts(part: LaterTexts): Promise<void> {
  const known = loading.get(part)
  if (known !== undefined) return known
  const started: Promise<void> = add(part, () => loading.get(part) === started)
  loading.set(part, started)
  // A failed part can be requested again.
  started.catch(() => {
    if (loading.get(part) === started) loading.delete(part)
  })
  return started
}

/** Adds the texts of a part, unless `isWanted` says that the language has changed since. */
async function add(part: LaterTexts, isWanted: () => boolean): Promise<void> {
  const texts = await loaderOf(LATER[part], currentLanguage().code)?.()
  if (texts !== undefined && isWanted()) loaded = [...loaded, texts]
}

function loaderOf(loaders: Loaders, code: LanguageCode): Loaders[string] | undefined {
  return Object.entries(loaders).find(([file]) => codeOf(file) === code)?.[1]
}

function codeOf(file: string): string {
  return file.replace(/^.*\/|\.json$/g, '')
}
