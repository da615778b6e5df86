import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const MESSAGES = fileURLToPath(new URL('../../src/messages/', import.meta.url))

interface Texts {
  readonly common: { readonly offline_error: string; readonly try_again: string }
}

/**
 * Inlines the texts of `start.js` into the page: for each language, the reason and the button label. `start.js` shows
 * these texts when nothing can be loaded.
 */
export function startTexts(): Plugin {
  return {
    name: 'start-texts',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'application/json', id: 'start-texts' }, children: read(), injectTo: 'body' },
    ],
  }
}

function read(): string {
  const files = readdirSync(MESSAGES).filter((file) => /^[a-z]{2}\.json$/.test(file))
  const entries = files.map((file) => {
    const { common } = JSON.parse(readFileSync(MESSAGES + file, 'utf8')) as Texts
    return [file.slice(0, 2), [common.offline_error, common.try_again]] as const
  })
  // Each `<` is escaped, so that no text can end the script element.
  return JSON.stringify(Object.fromEntries(entries)).replaceAll('<', '\\u003c')
}
