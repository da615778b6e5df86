import { MUTATION_GROUPS } from './scripts/lib/mutation-groups.mjs'

/** The group to mutate. `npm run mutation` names it. */
const group = process.env.MUTATION_GROUP ?? 'rules'

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/lib/ignore-logs.mjs'],
  ignorers: ['logs'],
  // `related` would search for tests by following imports, but it cannot follow imports by alias.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: MUTATION_GROUPS[group].mutate,
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: `node_modules/.cache/mutation/${group}.incremental.json`,
  concurrency: Number(process.env.MUTATION_PROCESSES ?? 1),
  thresholds: { high: 90, low: 80, break: 80 },
  dryRunTimeoutMinutes: 30,
  timeoutMS: 60_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  jsonReporter: { fileName: `node_modules/.cache/mutation/${group}.json` },
  tempDirName: `.stryker-tmp/${group}`,
  ignorePatterns: ['/.stryker-tmp', '/dist', '/docs', '/.data*', '/test-results'],
}
