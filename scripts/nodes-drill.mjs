// `npm run nodes:drill`: two servers, a PostgreSQL and a nats-server of its own, under orders: who holds a lease is stopped
// for 30 seconds, then killed; NATS goes away; each server is replaced. `npm run nodes:drill -- apart` does it with six
// servers of one role each.
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
