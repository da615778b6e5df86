import { defineConfig } from 'vite'

/**
 * The server as one file of plain JavaScript in `dist/server`, beside the workers of the embedded database and of hashes.
 * Packages stay where they are installed. It starts in little more than half the time that compiling each file on the way takes.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    // As it was written, so that errors in the log can be read.
    minify: false,
    rolldownOptions: {
      // How long each plug-in took is for those who build plug-ins.
      checks: { bundlerTimings: false },
      input: {
        main: 'src/server/main.ts',
        'pglite-worker': 'src/server/platform/database/pglite-worker.mjs',
        'hash-worker': 'src/server/platform/credentials/hash-worker.mjs',
        'calibration-worker': 'src/server/trading/sales/calibration-worker.ts',
      },
      // All in one folder: `project-files.ts` and the workers are found from there as they are from their sources.
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
})
