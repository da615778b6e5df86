// `npm run mutation`: changes the rules of money one by one and checks whether a test notices.
// `npm run mutation -- rules` runs only the named groups. Ends with 1 when a group is below 80 %.
// Writes the table of docs/generated/mutation.md.
import { checkNode } from './lib/process/check-node.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { MUTATION_GROUPS } from './lib/mutation-groups.mjs'
import { writeMutationTable } from './lib/mutation-table.mjs'
import { run } from './lib/process/run.mjs'
import { duration, main, Stop, say } from './lib/process/console-output.mjs'
import { startThrowAwayPostgres } from './lib/throw-away-postgres.mjs'

await main(async () => {
  checkNode()
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(MUTATION_GROUPS)
  const unknown = names.find((name) => !(name in MUTATION_GROUPS))
  if (unknown !== undefined) {
    throw new Stop(`Unknown group ${unknown}. Known: ${Object.keys(MUTATION_GROUPS).join(', ')}.`)
  }
  await ensurePackages()
  await ensureSystem(['postgres'])
  const postgres = await startThrowAwayPostgres()
  let failed = 0
  try {
    for (const name of names) {
      say(`\n== ${name}`)
      const started = performance.now()
      const env = { ...process.env, TEST_DATABASE_URL: postgres.url, MUTATION_GROUP: name }
      const code = await run(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'], { env })
      say(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${duration(started)}`)
      failed += code === 0 ? 0 : 1
    }
  } finally {
    postgres.stop()
  }
  writeMutationTable()
  return failed === 0 ? 0 : 1
})
