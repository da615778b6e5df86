// `npm run drill -- crash` runs a drill of `drills` against real processes and databases, with an audit at the end.
// Without a name, all drills run. `--rounds N` sets the number of rounds, `--repeats N` the repeats of race-conditions,
// `--orders N` the orders in the database of the backup. Exits with 1 when a drill failed.
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { run } from './lib/process/run.mjs'
import { duration, main, Stop, say } from './lib/process/console-output.mjs'

const DRILLS = [
  'crash',
  'postgres',
  'graceful-stop',
  'vanish',
  'stall',
  'readonly',
  'full',
  'clock',
  'files',
  'race-conditions',
  'backup',
  'candles',
  'evidence',
  'webkit',
]

/** The system programs that a drill needs in addition to PostgreSQL. */
const NEEDS = { candles: ['faketime'], webkit: ['webkit', 'display'] }

await main(async () => {
  checkNode()
  const args = process.argv.slice(2)
  const options = args.findIndex((arg) => arg.startsWith('--'))
  const names = options < 0 ? args : args.slice(0, options)
  const rest = options < 0 ? [] : args.slice(options)
  const unknown = names.find((name) => !DRILLS.includes(name))
  if (unknown !== undefined) throw new Stop(`Unknown drill ${unknown}. Known: ${DRILLS.join(', ')}.`)
  const chosen = names.length > 0 ? names : DRILLS
  await ensurePackages()
  await ensureSystem(['postgres', ...chosen.flatMap((name) => NEEDS[name] ?? [])])
  await ensureBuilt()
  let failed = 0
  for (const name of chosen) {
    say(`\n== ${name}`)
    const started = performance.now()
    const env = { ...process.env, SERVER_PROGRAM: BUILT_SERVER }
    const code = await run(process.execPath, ['--import', 'tsx', `drills/${name}.ts`, ...rest], { env })
    say(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${duration(started)}`)
    failed += code === 0 ? 0 : 1
  }
  return failed === 0 ? 0 : 1
})
