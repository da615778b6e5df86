import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const TEXTS = /\/messages\/[a-z]{2}\.json/

/**
 * The home screen as one script in `dist/prerender`, which the server runs to write the screen into the page. Pictures
 * have the addresses of the app's build.
 */
export default defineConfig({
  root: 'src/web',
  publicDir: false,
  plugins: [withoutTexts(), react()],
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: 'prerender.tsx',
    outDir: '../../dist/prerender',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { format: 'iife', name: 'prerender', entryFileNames: 'home.js', codeSplitting: false },
    },
  },
})

/** The server passes the texts at run time, with the operator's overrides. */
function withoutTexts(): Plugin {
  return {
    name: 'without-texts',
    enforce: 'pre',
    load: (id) => (TEXTS.test(id) ? { code: 'export default {}', moduleType: 'js' } : undefined),
  }
}
