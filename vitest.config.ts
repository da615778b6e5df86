import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { splitTexts } from './scripts/lib/split-texts.ts'

const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000 }

/**
 * Plain tests run in Node, many files in one process, which reads the server once for all of them; component tests
 * (`.test.tsx`) each in a page of their own.
 */
export default defineConfig({
  test: {
    // One more than the cores of a small machine: some tests wait, for processes that come and go.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{src,scripts,sim}/**/*.test.ts'],
          isolate: false,
          ...PATIENCE,
        },
      },
      {
        plugins: [react(), splitTexts()],
        test: {
          name: 'page',
          environment: 'happy-dom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['src/testing/page-setup.ts'],
          ...PATIENCE,
        },
      },
    ],
  },
})
