import { defineConfig } from 'vite'

/**
 * The server as one file of plain JavaScript in `dist/server`, beside the workers of the embedded database and of
 * hashes. Packages stay where they are installed. A start takes little more than half the time of a start that compiles
 * each file.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    // Not minified, so that errors in the log can be read.
    minify: false,
    rolldownOptions: {
      // The time that each plug-in took matters only to authors of plug-ins.
      checks: { bundlerTimings: false },
      input: {
        main: 'src/server/main.ts',
        'pglite-worker': 'src/server/platform/database/pglite-worker.mjs',
        'hash-worker': 'src/server/platform/credentials/hash-worker.mjs',
        'calibration-worker': 'src/server/trading/sales/calibration-worker.ts',
      },
      // All files are in one folder, from which `project-files.ts` finds the project's folder and the server finds the
      // workers, as in the sources.
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
})
