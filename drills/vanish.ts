// `npm run drill -- vanish`: the database host disappears under load without closing a connection. Alternately, a
// replacement is available immediately or only after a while. Finally the database host disappears for good, and the
// server is stopped.
import { setTimeout as pause } from 'node:timers/promises'
import { Site } from './lib/site.ts'
import { DatabaseProxy } from '#test/support/database-proxy.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

const AWAY_MS = 20_000
/** A clean stop may normally take ten seconds. When there is no database, it must take at most 8 s. */
const STOP_WITHIN_MS = 8_000

const postgres = await startThrowAwayPostgres({ isDurable: true })
const proxy = await DatabaseProxy.before(postgres.url)
try {
  const rounds = Array.from({ length: roundsOr(4) }, (_, nth): FaultRound => {
    if (nth % 2 === 0) {
      return {
        what: 'another host is there at once',
        faults: ['database_silent'],
        blow: async () => proxy.vanish(),
      }
    }
    return {
      what: `no host is there for ${seconds(AWAY_MS)}`,
      faults: ['database_silent'],
      blow: async () => {
        proxy.swallow()
        proxy.vanish()
        await pause(AWAY_MS)
        proxy.answer()
      },
    }
  })
  const isSound = await faultDrill({ site: await Site.make(proxy.url), rounds })
  const stops = await stopsWithoutDatabase()
  const ends = await endsWithDeadLanes()
  process.exitCode = isSound && stops && ends ? 0 : 1
} finally {
  await proxy.stop()
  postgres.stop()
}

/** Stops the server while the database is gone. The server must exit soon, with code 0. */
async function stopsWithoutDatabase(): Promise<boolean> {
  const site = await Site.make(proxy.url)
  try {
    await site.start()
    proxy.swallow()
    proxy.vanish()
    await pause(1_000)
    const begun = performance.now()
    const code = await site.running.stop()
    const took = performance.now() - begun
    console.log(`stopped without its database: exit code ${code} after ${seconds(took)}`)
    if (code === 0 && took < STOP_WITHIN_MS) return true
    console.log(site.running.output().slice(-3_000))
    return false
  } finally {
    proxy.answer()
    await site.remove()
  }
}

/**
 * Blocks only the connections for orders. The process must log this fault and exit with code 1, so that it is
 * restarted.
 */
async function endsWithDeadLanes(): Promise<boolean> {
  const site = await Site.make(proxy.url)
  try {
    await site.start()
    proxy.swallow((startup) => startup.includes('fairwick orders'))
    proxy.vanish()
    const begun = performance.now()
    const code = await site.running.waitForExit()
    console.log(`its connections for orders stayed dead: exit code ${code} after ${seconds(performance.now() - begun)}`)
    proxy.answer()
    const ready = await site.start()
    console.log(`started again: ready in ${seconds(ready)}`)
    await site.running.stop()
    return code === 1
  } finally {
    proxy.answer()
    await site.remove()
  }
}
