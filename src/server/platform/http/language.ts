import type { IncomingHttpHeaders } from 'node:http'
import { isLanguage, type Language } from '#server/platform/i18n/messages.ts'

/** The languages of the site: the default language, and all offered languages. */
export interface OfferedLanguages {
  readonly default: Language
  readonly offered: readonly Language[]
}

/**
 * The offered language of a reply: the `locale` header, else the best of `Accept-Language`, else the site's default.
 */
export function callerLanguage(headers: IncomingHttpHeaders, languages: OfferedLanguages): Language {
  const { offered } = languages
  const chosen = headers['locale']
  if (typeof chosen === 'string') {
    const language = readLanguage(chosen)
    if (language && offered.includes(language)) return language
  }
  return acceptedLanguage(headers['accept-language'] ?? '', offered) ?? languages.default
}

function acceptedLanguage(header: string, offered: readonly Language[]): Language | null {
  if (header === '') return null
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((item, place) => {
      const [tag = '', ...details] = item.split(';').map((part) => part.trim())
      const weight = Number(details.find((detail) => detail.startsWith('q='))?.slice(2) ?? 1)
      return { tag, place, weight: Number.isFinite(weight) ? weight : 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.place - b.place)
  for (const { tag } of wanted) {
    const language = readLanguage(tag)
    if (language && offered.includes(language)) return language
  }
  return null
}

function readLanguage(tag: string): Language | null {
  const lower = tag.trim().toLowerCase()
  if (isLanguage(lower)) return lower
  const [primary = ''] = lower.split('-')
  if (primary === 'zh') return 'tw'
  if (primary === 'ckb') return 'ku'
  return isLanguage(primary) ? primary : null
}
