/** The languages of the interface, with the specification's codes. */
export interface Language {
  readonly code: LanguageCode
  /** The name of the language in the language itself, such as `Deutsch`. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  /** The decimal separator that users of the language type. The app displays figures with a point in every language. */
  readonly decimal: '.' | ','
  /**
   * The BCP 47 tag for `Intl` and the `lang` attribute. Two of the specification's codes name other languages in BCP
   * 47.
   */
  readonly tag: string
}

export const LANGUAGE_CODES = [
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
export type LanguageCode = (typeof LANGUAGE_CODES)[number]

/** The language of texts that the chosen language lacks. */
export const FALLBACK_LANGUAGE: LanguageCode = 'en'

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: language('en', 'English'),
  it: language('it', 'Italiano', { decimal: ',' }),
  id: language('id', 'Bahasa Indonesia', { decimal: ',' }),
  de: language('de', 'Deutsch', { decimal: ',' }),
  tw: language('tw', '繁體中文', { tag: 'zh-Hant-TW' }),
  th: language('th', 'ไทย'),
  es: language('es', 'Español', { decimal: ',' }),
  ar: language('ar', 'العربية', { dir: 'rtl', decimal: ',' }),
  ku: language('ku', 'کوردی', { dir: 'rtl', decimal: ',', tag: 'ckb' }),
  ko: language('ko', '한국어'),
  ja: language('ja', '日本語'),
  vi: language('vi', 'Tiếng Việt', { decimal: ',' }),
  fr: language('fr', 'Français', { decimal: ',' }),
  ms: language('ms', 'Bahasa Melayu'),
  pt: language('pt', 'Português', { decimal: ',' }),
}

export function readLanguage(text: string | null | undefined): LanguageCode | null {
  return LANGUAGE_CODES.find((code) => code === text) ?? null
}

function language(code: LanguageCode, name: string, rest: { dir?: 'rtl'; decimal?: ','; tag?: string } = {}): Language {
  return { code, name, dir: rest.dir ?? 'ltr', decimal: rest.decimal ?? '.', tag: rest.tag ?? code }
}
