import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const STYLE = /<link rel="stylesheet" href="\/(frame\.css)" \/>/
const SCRIPT = /<script src="\/(theme\.js|start\.js)"><\/script>/g

/**
 * Writes the style of the page frame, and the two scripts that run before the app, into the built page. This saves
 * three requests before the first paint. The server allows exactly these texts by their hashes in the content security
 * policy.
 */
export function inlineStart(): Plugin {
  let folder = ''
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
  return {
    name: 'inline-start',
    apply: 'build',
    configResolved: ({ publicDir }) => {
      folder = publicDir
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        if (!STYLE.test(html)) throw new Error('the page has no frame.css to inline')
        return html
          .replace(STYLE, (_, name: string) => `<style>${read(name)}</style>`)
          .replaceAll(SCRIPT, (_, name: string) => `<script>${read(name)}</script>`)
      },
    },
  }
}
