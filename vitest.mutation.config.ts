import { defineConfig } from 'vitest/config'
import { MUTATION_GROUPS } from './scripts/lib/mutation-groups.mjs'

/** The tests of one group of `npm run mutation`, with the same settings as otherwise. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [...(MUTATION_GROUPS[process.env['MUTATION_GROUP'] ?? '']?.tests ?? [])],
    setupFiles: ['test/support/setup.ts'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
