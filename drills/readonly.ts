// `npm run drill -- readonly`: the database becomes read-only under load, like after a failover to a replica, then
// writable again.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Site } from './lib/site.ts'
import { findPostgres } from '../scripts/lib/process/ensure-system.mjs'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

const READ_ONLY_MS = 12_000

const postgres = await startThrowAwayPostgres({ isDurable: true })
try {
  const rounds = Array.from(
    { length: roundsOr(3) },
    (): FaultRound => ({
      what: `read-only for ${seconds(READ_ONLY_MS)}`,
      faults: ['database_read_only'],
      blow: async () => {
        psql('alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
        await pause(READ_ONLY_MS)
        psql(
          'set default_transaction_read_only = off',
          'alter system reset default_transaction_read_only',
          'select pg_reload_conf()',
        )
      },
    }),
  )
  process.exitCode = (await faultDrill({ site: await Site.make(postgres.url), rounds })) ? 0 : 1
} finally {
  postgres.stop()
}

function psql(...statements: readonly string[]): void {
  const args = [postgres.url, '-v', 'ON_ERROR_STOP=1', '-q', ...statements.flatMap((statement) => ['-c', statement])]
  const { status, stderr } = spawnSync(join(findPostgres() ?? '', 'psql'), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
