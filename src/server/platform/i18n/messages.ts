import { existsSync, readFileSync } from 'node:fs'
import type { RefusalCode } from '#contract/refusals.ts'
import { BUY } from '#core/orders/order.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import type { RefusalParams } from '#core/result.ts'
import en from '#messages/en.json' with { type: 'json' }
import { fillText, findText, type Stem, type Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, LANGUAGE_CODES, type LanguageCode, LANGUAGES, readLanguage } from '#messages/languages.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'

type Messages = typeof en
const SECTIONS = [
  'changes',
  'check',
  'common',
  'content',
  'fairness',
  'field',
  'home',
  'incidents',
  'liabilities',
  'limits',
  'mail',
  'measures',
  'message',
  'no_control',
  'notice',
  'refusal',
  'prices',
  'register',
  'screen',
  'task',
  'trade',
] as const
type Section = (typeof SECTIONS)[number]
/** `section.key` of a server text. */
export type MessageKey = { [S in Section]: `${S}.${Stem<keyof Messages[S] & string>}` }[Section]

/** A language by its code in the specification. */
export type Language = LanguageCode

/** The server's texts, read once for every language with texts. English replaces missing texts. */
const TEXTS: ReadonlyMap<Language, Texts> = new Map(LANGUAGE_CODES.map((code) => [code, readTexts(code)]))

const SECONDS = { minute: 60, hour: 3_600, day: 86_400 }

/** The operator's text overrides. A process runs one installation, so one variable holds them. */
let instead: ReadonlyMap<Language, Texts> = new Map()
/** The results of `shownMessages` since the overrides changed. */
const shown = new Map<Language, Texts>()

/** Sets the operator's text overrides. */
export function setTextOverrides(texts: ReadonlyMap<Language, Texts>): void {
  instead = texts
  shown.clear()
}

/**
 * Returns a text in the caller's language, with its `{name}` placeholders filled in. `params.count` selects the plural.
 */
export function message(key: MessageKey, language: Language, params: RefusalParams = {}): string {
  const own =
    findText(instead.get(language), key, params, LANGUAGES[language]) ??
    findText(TEXTS.get(language), key, params, LANGUAGES[language])
  if (own !== undefined) return fillText(own, params, LANGUAGES[language])
  const fallback = LANGUAGES[FALLBACK_LANGUAGE]
  return fillText(findText(TEXTS.get(FALLBACK_LANGUAGE), key, params, fallback) ?? key, params, fallback)
}

/**
 * The text of a refusal, the same over HTTP and sockets. `params.name` names a field. With `params.frees_at` the text
 * also says when the user's own limit allows the amount again. With `params.side` it names a direction and a duration.
 */
export function refusalText(code: RefusalCode, language: Language, params: RefusalParams = {}): string {
  const { name, frees_at: time, side } = params
  const named = {
    ...params,
    ...(typeof name === 'string' && { name: fieldName(name, language) }),
    ...(side !== undefined && {
      direction: message(side === BUY ? 'trade.buy' : 'trade.sell', language),
      duration: durationText(Number(params['seconds']), language),
    }),
  }
  const text = message(`refusal.${code}`, language, named)
  return time === undefined ? text : `${text} ${message('message.frees_at', language, { time })}`
}

function durationText(seconds: number, language: Language): string {
  if (seconds % SECONDS.minute !== 0) return message('trade.seconds', language, { count: seconds })
  const unit = unitOfSeconds(seconds)
  return message(`trade.${unit}s`, language, { count: seconds / SECONDS[unit] })
}

/** The name of a field in messages; its technical name when there is no better one. */
export function fieldName(field: string, language: Language): string {
  return isKnownField(field) ? message(`field.${field}`, language) : field
}

function isKnownField(field: string): field is keyof Messages['field'] {
  return Object.hasOwn(en.field, field)
}

export function isLanguage(text: string): text is Language {
  return readLanguage(text) !== null
}

/** Reads the stored language of a user. Returns English for a language that this version does not have. */
export function storedLanguage(text: string): Language {
  return readLanguage(text) ?? FALLBACK_LANGUAGE
}

/**
 * Reads every text of a language, including the texts of the trading app. Returns an empty object for a language
 * without a texts file.
 */
export function readMessages(code: Language): Texts {
  const file = projectFile(`src/messages/${code}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Texts) : {}
}

/**
 * Every text of a language as the app shows it: with the operator's overrides. Returns the same object until the
 * overrides change.
 */
export function shownMessages(code: Language): Texts {
  const known = shown.get(code)
  if (known !== undefined) return known
  const [shipped, overrides] = [readMessages(code), instead.get(code) ?? {}]
  const sections = Object.keys({ ...shipped, ...overrides })
  const texts = Object.fromEntries(sections.map((section) => [section, { ...shipped[section], ...overrides[section] }]))
  shown.set(code, texts)
  return texts
}

function readTexts(code: Language): Texts {
  const all = readMessages(code)
  return Object.fromEntries(SECTIONS.map((section) => [section, all[section] ?? {}]))
}
