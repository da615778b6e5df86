import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { fillGaps, type TextsBySection } from './fill-gaps.ts'

/** The texts of the frame and the log in; those of all other screens come with the first of them. */
const FIRST_SECTIONS = ['common', 'shell', 'screen', 'login']
/** Only the server says these. */
const SERVER_SECTIONS = ['content', 'field', 'mail', 'message', 'task']

const MESSAGES = fileURLToPath(new URL('../../src/messages/', import.meta.url))
const ENGLISH = `${MESSAGES}en.json`
const MORE_ENGLISH = fileURLToPath(new URL('../../src/web/i18n/more-texts.ts', import.meta.url))

type Keep = (section: string) => boolean
const isFirst: Keep = (section) => FIRST_SECTIONS.includes(section)
const isMore: Keep = (section) => !isFirst(section) && !SERVER_SECTIONS.includes(section)

/**
 * Cuts the English texts in two for the build, and leaves out those of the server: `en.json` keeps the first ones,
 * `more-texts.ts` gets the others.
 */
export function splitEnglish(): Plugin {
  return {
    name: 'split-english',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id === MORE_ENGLISH) return `export const MORE_TEXTS = ${cut(read(ENGLISH), isMore)}`
      return id === ENGLISH ? cut(read(ENGLISH), isFirst) : undefined
    },
  }
}

/**
 * `de.json?first` and `de.json?more` are the two parts of German. What a language lacks is put in from English, so that
 * its reader need not fetch English too.
 */
export function splitLanguages(): Plugin {
  return {
    name: 'split-languages',
    enforce: 'pre',
    load(id) {
      const [file = '', part = ''] = id.split('?')
      if (!file.startsWith(MESSAGES) || !(part === 'first' || part === 'more')) return undefined
      this.addWatchFile(file)
      const texts = cut(fillGaps(read(file), read(ENGLISH)), part === 'first' ? isFirst : isMore)
      // Browsers read JSON faster than a script of the same length.
      return { code: `export default JSON.parse(${JSON.stringify(texts)})`, moduleType: 'js' }
    },
  }
}

function cut(texts: TextsBySection, keep: Keep): string {
  return JSON.stringify(Object.fromEntries(Object.entries(texts).filter(([section]) => keep(section))))
}

function read(file: string): TextsBySection {
  return JSON.parse(readFileSync(file, 'utf8')) as TextsBySection
}
