// `npm run drill -- stall`: blocks all traffic between server and database for a while under load, then delivers the
// blocked traffic.
import { setTimeout as pause } from 'node:timers/promises'
import { Site } from './lib/site.ts'
import { DatabaseProxy } from '#test/support/database-proxy.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

/** Two stalls: one shorter than the connection timeout, and one longer. */
const STALLS_MS = [4_000, 20_000]

const postgres = await startThrowAwayPostgres({ isDurable: true })
const proxy = await DatabaseProxy.before(postgres.url)
try {
  const rounds = Array.from({ length: roundsOr(4) }, (_, nth): FaultRound => {
    const ms = STALLS_MS[nth % STALLS_MS.length] ?? 0
    return {
      what: `nothing passes for ${seconds(ms)}`,
      faults: ['database_silent'],
      blow: async () => {
        proxy.stall()
        await pause(ms)
        proxy.flow()
      },
    }
  })
  process.exitCode = (await faultDrill({ site: await Site.make(proxy.url), rounds })) ? 0 : 1
} finally {
  await proxy.stop()
  postgres.stop()
}
