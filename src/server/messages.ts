import type { RefusalCode } from '#contract/refusals.ts'
import type { RefusalParams } from '#core/result.ts'
import en from '#messages/en.json' with { type: 'json' }

type Messages = typeof en
type Section = 'field' | 'mail' | 'message' | 'refusal'
/** `section.key` of a text the server says. */
export type MessageKey = { [S in Section]: `${S}.${keyof Messages[S] & string}` }[Section]

/** The languages the interface speaks, by the specification's codes. English stands in where a text is missing. */
export const LANGUAGES = [
  'en',
  'it',
  'id',
  'de',
  'tw',
  'th',
  'es',
  'ar',
  'ku',
  'ko',
  'ja',
  'vi',
  'fr',
  'ms',
  'pt',
] as const
export type Language = (typeof LANGUAGES)[number]

type Texts = { readonly [section: string]: { readonly [key: string]: string } | undefined }
const TRANSLATIONS: { readonly [L in Language]?: Texts } = { en }

/** A text in the caller's language with `{name}` places filled in. */
export function message(key: MessageKey, language: Language, params: RefusalParams = {}): string {
  const [section = '', name = ''] = key.split('.')
  const text = TRANSLATIONS[language]?.[section]?.[name] ?? TRANSLATIONS.en?.[section]?.[name] ?? key
  return text.replace(/\{(\w+)\}/g, (place, param: string) => String(params[param] ?? place))
}

/** What a refusal says to its user; the same over HTTP and over the sockets. A field is named by `params.name`. */
export function refusalText(code: RefusalCode, language: Language, params: RefusalParams = {}): string {
  const { name } = params
  const named = typeof name === 'string' ? { ...params, name: fieldName(name, language) } : params
  return message(`refusal.${code}`, language, named)
}

/** A field as it is called in messages; its own name when we have no better one. */
export function fieldName(field: string, language: Language): string {
  return isKnownField(field) ? message(`field.${field}`, language) : field
}

function isKnownField(field: string): field is keyof Messages['field'] {
  return Object.hasOwn(en.field, field)
}

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}
