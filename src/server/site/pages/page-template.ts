import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The additional files of a screen, as the build lists them in `pages.json`. Paths are below the site's root. */
export interface PageFiles {
  /** The files of each screen, by the name of the screen's folder, such as `account-history`. */
  readonly screens: Readonly<Record<string, readonly string[]>>
  /**
   * The files with texts, by language and part. The page itself contains the first part of the English texts, so it has
   * no file.
   */
  readonly texts: Readonly<Record<string, Readonly<Partial<Record<TextPart, string>>>>>
  readonly chart: readonly string[]
}
export type TextPart = 'first' | 'trading' | 'more'

/** The built page of the app. */
export interface PageTemplate {
  readonly html: string
  readonly files: PageFiles
  /**
   * The CSP sources of the page's inline scripts, such as `'sha256-…'`. `styles` has the sources of its inline styles.
   */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

const INLINE = /<(script|style)>([\s\S]*?)<\/\1>/g
const NO_FILES: PageFiles = { screens: {}, texts: {}, chart: [] }

/** Reads the built page. Returns null when the app is not built. */
export function readPageTemplate(folder: string): PageTemplate | null {
  const page = join(folder, 'index.html')
  if (!existsSync(page)) return null
  const html = readFileSync(page, 'utf8')
  const list = join(folder, 'pages.json')
  const files = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as PageFiles) : NO_FILES
  const inline = Array.from(html.matchAll(INLINE), ([, tag, text = '']) => ({ tag, source: hashSource(text) }))
  const sourcesOf = (wanted: string) => inline.filter(({ tag }) => tag === wanted).map(({ source }) => source)
  return { html, files, scripts: sourcesOf('script'), styles: sourcesOf('style') }
}

/**
 * Returns the CSP source of an inline script or style: the hash of exactly the bytes between the tags (CSP level 3,
 * section 6.7.2.1).
 */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
