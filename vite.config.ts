import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const API = 'http://127.0.0.1:3000'

/** The trading app. In development the browser talks to Vite, which passes calls and sockets on to the server. */
export default defineConfig({
  root: 'src/web',
  plugins: [splitTexts(), react(), tailwindcss(), preloadFont()],
  server: {
    proxy: {
      '/api': API,
      '/ws': { target: API, ws: true },
    },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // Fonts and marks stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // React changes rarely, so returning visitors keep it across releases.
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
})

/** Lets the browser fetch the main font while the stylesheet that asks for it is still on its way. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => name.includes('hanken-grotesk-latin-wght'))
        if (file === undefined) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** The texts of the frame and the log in; those of all other screens come with the first of them. */
const FIRST_TEXTS = ['common', 'shell', 'screen', 'login']
/** Only the server says these. */
const SERVER_TEXTS = ['mail', 'message', 'field']

/** Cuts the English texts in two for the build: `en.json` keeps the first ones, `more-texts.ts` gets the others. */
function splitTexts(): Plugin {
  const english = fileURLToPath(new URL('src/messages/en.json', import.meta.url))
  const more = fileURLToPath(new URL('src/web/i18n/more-texts.ts', import.meta.url))
  return {
    name: 'split-texts',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== more) return undefined
      return `export const MORE_TEXTS = ${cutTexts(readFileSync(english, 'utf8'), isMoreText)}`
    },
    transform: (code, id) => (id === english ? cutTexts(code, isFirstText) : undefined),
  }
}

const isFirstText = (section: string): boolean => FIRST_TEXTS.includes(section)
const isMoreText = (section: string): boolean => !isFirstText(section) && !SERVER_TEXTS.includes(section)

function cutTexts(json: string, keep: (section: string) => boolean): string {
  const sections = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(sections.filter(([name]) => keep(name))))
}
