import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { appIcons } from './scripts/lib/app-icons.ts'
import { appWorker } from './scripts/lib/app-worker.ts'
import { compressFiles } from './scripts/lib/compress-files.ts'
import { chunkGroups } from './scripts/lib/chunk-groups.ts'
import { inlineStart } from './scripts/lib/inline-start.ts'
import { listPageFiles } from './scripts/lib/list-page-files.ts'
import { reportSizes } from './scripts/lib/report-sizes.ts'
import { splitTexts } from './scripts/lib/split-texts.ts'
import { stylesAfterFrame } from './scripts/lib/styles-after-frame.ts'
import { startTexts } from './scripts/lib/start-texts.ts'

const API = 'http://127.0.0.1:3000'

/** The trading app. In development the browser talks to Vite, which passes calls and sockets on to the server. */
export default defineConfig({
  root: 'src/web',
  plugins: [
    splitTexts(),
    react(),
    tailwindcss(),
    startTexts(),
    inlineStart(),
    stylesAfterFrame(),
    listPageFiles(),
    preloadFont(),
    appIcons(),
    appWorker(),
    reportSizes(),
    compressFiles(),
  ],
  server: {
    proxy: {
      '/api': API,
      '/ws': { target: API, ws: true },
      '/stream': { target: API, ws: true },
    },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // Browsers without module preload only load a little later.
    modulePreload: { polyfill: false },
    // Fonts and marks stay files, because the content security policy allows no `data:` fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The time that each plug-in took matters only to authors of plug-ins.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: chunkGroups() },
      },
    },
  },
})

/** Lets the browser fetch the main font in parallel with the stylesheet that uses it. */
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
