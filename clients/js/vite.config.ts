import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the client for programs outside of this repository: `npm run client`. */
export default defineConfig({
  root: at('.'),
  logLevel: 'warn',
  build: {
    target: 'es2022',
    outDir: at('dist'),
    lib: { entry: at('src/client.ts'), formats: ['es'], fileName: () => 'client.mjs' },
  },
})
