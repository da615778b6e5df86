// `npm run bench` runs the measurements. `npm run bench -- P1 back-office` runs only the named ones; goals are named by
// id. Each file of `bench/` prints its results and exits with 1 when a gate is missed. Each gets its own PostgreSQL,
// unless BENCH_DATABASE_URL names one.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode } from './lib/process/check-node.mjs'
import { chooseBenches } from './lib/choose-benches.mjs'
import { BUILT_SERVER, ensureBuilt, NODE_FLAGS } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { ROOT } from './lib/process/root.mjs'
import { run } from './lib/process/run.mjs'
import { main, Stop, say } from './lib/process/console-output.mjs'
import { startThrowAwayPostgres } from './lib/throw-away-postgres.mjs'

const ENDING = '.bench.ts'
/** `npm run soak` takes an hour, so it runs only when it is named. */
const SOAK = 'soak'

await main(async () => {
  checkNode()
  const known = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
  const argv = process.argv.slice(2)
  const { names, unknown } = argv.includes(SOAK) ? { names: [SOAK] } : chooseBenches(argv, known)
  if (unknown !== undefined) throw new Stop(`Unknown measurement ${unknown}. Known: ${known.join(', ')}.`)
  await ensurePackages()
  await ensureSystem(['postgres'])
  await ensureBuilt()

  let failed = 0
  for (const name of names) {
    say(`\n== ${name}`)
    const given = process.env.BENCH_DATABASE_URL
    const postgres = given
      ? { url: given, stop: () => {} }
      : await startThrowAwayPostgres({ isDurable: true, isLarge: name === SOAK })
    try {
      const env = { ...process.env, SERVER_PROGRAM: BUILT_SERVER, BENCH_DATABASE_URL: postgres.url }
      // The measurement process itself runs the server code, with the flags of the real server.
      const args = [...NODE_FLAGS, '--import', 'tsx', `bench/${name}${name === SOAK ? '.ts' : ENDING}`]
      if ((await run(process.execPath, args, { env })) !== 0) failed += 1
    } finally {
      postgres.stop()
    }
  }
  return failed === 0 ? 0 : 1
})
