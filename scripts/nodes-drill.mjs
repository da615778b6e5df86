// `npm run nodes:drill` runs two servers, a PostgreSQL and a nats-server under orders. The lease holder is paused for
// 30 s, then killed; NATS is stopped; each server is replaced. `npm run nodes:drill -- apart` uses six servers with one
// role each.
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { run } from './lib/process/run.mjs'
import { main } from './lib/process/console-output.mjs'
import { startThrowAwayPostgres } from './lib/throw-away-postgres.mjs'

await main(async () => {
  checkNode()
  await ensurePackages()
  await ensureSystem(['postgres', 'nats'])
  await ensureBuilt()
  const postgres = await startThrowAwayPostgres({ isDurable: true })
  try {
    const args = ['--import', 'tsx', 'drills/nodes/start.ts', ...process.argv.slice(2)]
    return await run(process.execPath, args, {
      env: { ...process.env, SERVER_PROGRAM: BUILT_SERVER, DRILL_DATABASE_URL: postgres.url },
    })
  } finally {
    postgres.stop()
  }
})
