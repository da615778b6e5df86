import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './scripts/lib/compress-files.ts'
import { startTexts } from './scripts/lib/start-texts.ts'

const API = 'http://127.0.0.1:3000'

/**
 * The back office, served at `/admin/`. In development the back office has its own port and passes calls on to the
 * server.
 */
export default defineConfig({
  root: 'src/back-office',
  base: '/admin/',
  // The pictures, and the scripts that run before the start, are those of the trading app on the same server.
  publicDir: false,
  plugins: [react(), tailwindcss(), startTexts(), compressFiles()],
  server: {
    port: 5174,
    proxy: {
      '/api': { target: API, ws: true },
      '/theme.js': API,
      '/start.js': API,
      '/favicon.svg': API,
      '/images': API,
    },
  },
  build: {
    outDir: '../../dist/back-office',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The time that each plug-in took matters only to authors of plug-ins.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
      },
    },
  },
})
