// Runs `npm run nodes:drill` and prints the results. Exits with 1 when anything was lost, paid twice or settled too
// late.
import { runNodesDrill } from './run-drill.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'

const STOP_MS = 30_000
/** 7 s: the duration of a lease, plus the time to take over the lease and settle due orders. */
const GOAL_MS = 7_000
const GATE_MS = 15_000

const LAYOUTS = {
  together: ['api,feed,settle', 'api,feed,settle'],
  // The feed servers start first, because no server is ready without prices.
  apart: ['feed', 'feed', 'settle', 'settle', 'api', 'api'],
}
const layout = process.argv[2] === 'apart' ? 'apart' : 'together'
const database = await createEmptyPostgresDatabase(process.env['DRILL_DATABASE_URL'] ?? '')
try {
  const report = await runNodesDrill({
    databaseUrl: database.url,
    servers: LAYOUTS[layout],
    stopMs: STOP_MS,
    rounds: ['ticks', 'settle/0'],
    isLong: true,
    traders: 8,
    say: (line) => console.log(line),
  })
  const { acknowledged, latestMs, staleWrites, resultsElsewhere, exitCodes, wrong } = report
  console.log(`orders acknowledged: ${acknowledged}; results heard on another server: ${resultsElsewhere}`)
  for (const { step, ms } of latestMs) {
    console.log(`${step}: the last order was settled ${ms} ms after it was due or the server lost (goal ${GOAL_MS})`)
  }
  console.log(`stale writes refused: ${staleWrites.refused} of ${staleWrites.tried}`)
  console.log(`exit codes of an ordered stop: ${exitCodes.join(', ')}`)
  for (const one of wrong) console.log(`WRONG: ${one}`)
  if (wrong.length === 0) console.log('The audit found no differences in ledger, log, orders and results.')
  const isLate = latestMs.some(({ ms }) => ms > GATE_MS)
  const isSound =
    wrong.length === 0 && staleWrites.refused === staleWrites.tried && exitCodes.every((code) => code === 0)
  process.exitCode = isSound && !isLate ? 0 : 1
} finally {
  await database.drop()
}
