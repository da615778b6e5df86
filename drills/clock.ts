// `npm run drill -- clock`: under load, the server's clock jumps forwards and back, and drifts. Then a server starts
// with a wrong clock. The drill corrects each fault. The database's clock is always right.
// The server is that of `main.ts`. It reads the shift of its clock from a file.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newestLoggedTime } from '#server/market-data/tick-log/log-times.queries.ts'
import { Site } from './lib/site.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, faultLines, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

const HOUR_MS = 3_600_000
const WRONG_MS = 15_000
/** 20 ms per step: the clock runs 8 % too fast. */
const DRIFT_MS = 20
const DRIFT_EVERY_MS = 250
const DRIFTS_TO_MS = 6_000
const BACK_WITHIN_MS = 15_000
const SERVER = 'test/support/shifted-server.ts'

const postgres = await startThrowAwayPostgres({ isDurable: true })
try {
  const site = await Site.make(postgres.url)
  const file = join(site.folder, 'clock-shift')
  const put = (ms: number): void => writeFileSync(file, String(ms))
  put(0)
  site.program = { path: SERVER }
  site.extra = { CLOCK_SHIFT_FILE: file }

  const jump = (ms: number): FaultRound => ({
    what: `the clock is ${seconds(ms)} ahead for ${seconds(WRONG_MS)}`,
    faults: ['clock_jumped'],
    blow: async () => {
      put(ms)
      await pause(WRONG_MS)
      put(0)
    },
  })
  const drift: FaultRound = {
    what: `the clock drifts to ${seconds(DRIFTS_TO_MS)} ahead`,
    faults: ['clock_drifts', 'clocks_apart'],
    blow: async () => {
      for (let ms = 0; ms < DRIFTS_TO_MS; ms += DRIFT_MS) {
        put(ms)
        await pause(DRIFT_EVERY_MS / 4)
      }
      await pause(2_000)
      put(0)
    },
  }
  const kinds = [jump(HOUR_MS), jump(-600_000), drift, jump(7_000)]
  const rounds = Array.from({ length: roundsOr(kinds.length) }, (_, nth) => kinds[nth % kinds.length] ?? drift)
  const isSound = await faultDrill({ site, rounds, check: async (db) => futurePriceFaults(await newestLoggedTime(db)) })
  const waits = await waitsAtStart()
  process.exitCode = isSound && waits ? 0 : 1
} finally {
  postgres.stop()
}

function futurePriceFaults(newest: number | null): string[] {
  const skewMs = (newest ?? 0) - Date.now()
  return skewMs > 0 ? [`the log contains prices ${seconds(skewMs)} ahead of the clock`] : []
}

/**
 * Starts the server an hour ahead of the database. The server must wait, log the fault, and continue when the clock is
 * corrected.
 */
async function waitsAtStart(): Promise<boolean> {
  const site = await Site.make(postgres.url)
  const file = join(site.folder, 'clock-shift')
  try {
    writeFileSync(file, String(HOUR_MS))
    site.program = { path: SERVER }
    site.extra = { CLOCK_SHIFT_FILE: file }
    const started = site.start()
    // The server listens, but does not accept orders yet.
    while ((await fetch(`${site.address}/healthz`).catch(() => null)) === null) await pause(100)
    await pause(5_000)
    const wasReady = (await fetch(`${site.address}/readyz`)).ok
    writeFileSync(file, '0')
    const putRightAt = performance.now()
    await started
    const again = performance.now() - putRightAt
    const said = faultLines(site.running.output())
    console.log(`started an hour ahead: ready ${seconds(again)} after the correction; logged: ${said.join(', ')}`)
    await site.running.stop()
    return !wasReady && again < BACK_WITHIN_MS && said.join() === 'clocks_apart'
  } finally {
    await site.remove()
  }
}
