/** The interface languages by the specification's codes. */
export interface Language {
  readonly code: LanguageCode
  /** Its name in itself. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  /** The BCP 47 tag for `Intl` and the `lang` attribute: two of the codes mean other languages there. */
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

/** Shown wherever a chosen language has no text. */
export const FALLBACK_LANGUAGE: LanguageCode = 'en'

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: language('en', 'English'),
  it: language('it', 'Italiano'),
  id: language('id', 'Bahasa Indonesia'),
  de: language('de', 'Deutsch'),
  tw: language('tw', '繁體中文', { tag: 'zh-Hant-TW' }),
  th: language('th', 'ไทย'),
  es: language('es', 'Español'),
  ar: language('ar', 'العربية', { dir: 'rtl' }),
  ku: language('ku', 'کوردی', { dir: 'rtl', tag: 'ckb' }),
  ko: language('ko', '한국어'),
  ja: language('ja', '日本語'),
  vi: language('vi', 'Tiếng Việt'),
  fr: language('fr', 'Français'),
  ms: language('ms', 'Bahasa Melayu'),
  pt: language('pt', 'Português'),
}

export function readLanguage(text: string | null | undefined): LanguageCode | null {
  return LANGUAGE_CODES.find((code) => code === text) ?? null
}

function language(code: LanguageCode, name: string, rest: { dir?: 'rtl'; tag?: string } = {}): Language {
  return { code, name, dir: rest.dir ?? 'ltr', tag: rest.tag ?? code }
}
