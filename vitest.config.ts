import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { SlowTestsFirst } from './scripts/lib/slow-tests-first.ts'
import { splitTexts } from './scripts/lib/split-texts.ts'

/** 30 minutes: a guard against tests that hang. No passing test comes near this limit, however busy the machine is. */
const HANGS_AFTER_MS = 1_800_000
/** As in `test/support/random-plans.ts`. */
const TIMES = Number(process.env['RANDOM_TIMES'] ?? 1)
const PATIENCE = {
  testTimeout: HANGS_AFTER_MS * TIMES,
  hookTimeout: HANGS_AFTER_MS * TIMES,
}

/**
 * Where the embedded database can differ from PostgreSQL: its driver, its one session (so the engine has one lane), its
 * files. Both databases run the same SQL, and `test/support/one-session.ts` fails a test that would wait for itself on
 * one session. Journeys in a browser run on it as well.
 */
const ON_BOTH_DATABASES = [
  'src/server/app/crash.test.ts',
  'src/server/back-office/reports/reports.test.ts',
  'src/server/ledger/ledger.test.ts',
  'src/server/ledger/reconciliation/{reconcile,start-check}.test.ts',
  'src/server/market-data/candles/candle-starts.test.ts',
  'src/server/market-data/feeds/feed-incidents.test.ts',
  'src/server/market-data/replication/shared-ticks.test.ts',
  'src/server/market-data/tick-log/*.test.ts',
  'src/server/market-data/ticks/{lookup,ticks}.test.ts',
  'src/server/operator-cli/backup.test.ts',
  'src/server/platform/database/{array-literal,connect,database,keyset-pagination,later-migrations}.test.ts',
  'src/server/seed/seed.test.ts',
  'src/server/ledger/limit-marks.test.ts',
  'src/server/users/{limits,notices}/*.test.ts',
  'src/server/trading/caps/*.test.ts',
  'src/server/trading/engine/{accept*,crowd,delayed-orders,own-limits*,rights*,settle*}.test.ts',
]
const plain = {
  environment: 'node' as const,
  setupFiles: ['test/support/setup.ts'],
  // Many test files share a process, which loads the server once for all of them.
  isolate: false,
  ...PATIENCE,
}

/**
 * Plain tests run in Node, on the PostgreSQL that TEST_DATABASE_URL names. Tests whose result may depend on the
 * database then run once more on the embedded database. Without a PostgreSQL everything runs on the embedded database.
 * Component tests (`.test.tsx`) run each in a page of their own.
 */
export default defineConfig({
  test: {
    // A test whose stored file is missing fails. The file is written only on request.
    update: 'none',
    // 4: twice the cores of a small machine, because many tests wait for the database or for other processes.
    maxWorkers: 4,
    // The same setting as `npm start`, so that garbage collection takes less processor time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: SlowTestsFirst },
    projects: [
      { test: { ...plain, name: 'node', include: ['{src,test,drills,scripts,sim}/**/*.test.ts'] } },
      ...(process.env['TEST_DATABASE_URL']
        ? [{ test: { ...plain, name: 'embedded', include: ON_BOTH_DATABASES, env: { TEST_DATABASE_URL: '' } } }]
        : []),
      {
        plugins: [react(), splitTexts()],
        test: {
          name: 'page',
          environment: 'happy-dom',
          // A page for each file in half the time that a process for each takes.
          pool: 'vmForks',
          // Component tests expect the times of one zone. Other zones have their own journeys.
          env: { TZ: 'UTC' },
          include: ['src/**/*.test.tsx'],
          setupFiles: ['test/support/setup.ts', 'test/support/page-setup.ts'],
          ...PATIENCE,
        },
      },
    ],
  },
})
