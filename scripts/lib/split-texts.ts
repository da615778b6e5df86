import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { fillGaps, type TextsBySection } from './fill-gaps.ts'

/** Sections of the messages by part. All other sections belong to `more`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  /** The app frame and the log-in. */
  first: ['common', 'shell', 'screen', 'login'],
  trading: ['chart', 'limits', 'live', 'market', 'trade'],
  /** Sections that only the server uses. */
  server: ['content', 'field', 'mail', 'message', 'notice', 'task'],
}
const OTHERS = 'more'

const MESSAGES = fileURLToPath(new URL('../../src/messages/', import.meta.url))
const ENGLISH = `${MESSAGES}en.json`

/**
 * Splits the texts for the browser: `de.json?trading` is the part `trading` of the German texts. Missing texts are
 * filled in from English, so that the browser need not load English too. In a build, `en.json` itself is its first
 * part.
 */
export function splitTexts(): Plugin {
  let isBuild = false
  return {
    name: 'split-texts',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    load(id) {
      const [file = '', query] = id.split('?')
      if (!file.startsWith(MESSAGES) || !file.endsWith('.json')) return undefined
      if (query === undefined) return file === ENGLISH && isBuild ? cut(read(ENGLISH), 'first') : undefined
      const part = query.split('&')[0] ?? ''
      if (part !== OTHERS && !(part in PARTS)) return undefined
      this.addWatchFile(file)
      const texts = cut(fillGaps(read(file), read(ENGLISH)), part)
      // Browsers parse JSON faster than a script of the same length.
      return { code: `export default JSON.parse(${JSON.stringify(texts)})`, moduleType: 'js' }
    },
  }
}

function partOf(section: string): string {
  return Object.keys(PARTS).find((part) => PARTS[part]?.includes(section)) ?? OTHERS
}

function cut(texts: TextsBySection, part: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(texts).filter(([section]) => partOf(section) === part)))
}

function read(file: string): TextsBySection {
  return JSON.parse(readFileSync(file, 'utf8')) as TextsBySection
}
