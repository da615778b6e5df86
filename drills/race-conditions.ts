// `npm run drill -- race-conditions`: sends many requests at the same moment, although only one of them may succeed
// (attacks AT8, AT9, AT10 and AT42 of docs/generated/attacks.md), two hundred times each, on PostgreSQL. `--repeats N`
// sets another number.
import { startVitest } from 'vitest/node'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { numberFor } from './lib/report.ts'

const postgres = await startThrowAwayPostgres({})
process.env['TEST_DATABASE_URL'] = postgres.url
process.env['RACE_REPEATS'] = String(numberFor('--repeats', 200))
try {
  const vitest = await startVitest('test', ['test/security/races.test.ts'], { watch: false, project: ['node'] })
  await vitest.close()
} finally {
  postgres.stop()
}
