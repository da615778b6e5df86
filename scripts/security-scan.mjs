// `npm run security:scan`: runs sqlmap, Wapiti and slowhttptest against the product, on loopback, with its own
// PostgreSQL. Writes test-results/security-scan.md. Exits with 1 when a finding is open. SCAN_MINUTES (12) limits its
// duration. A busy or slow machine needs more minutes to complete the scans.
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
  await ensureSystem(['postgres', 'sqlmap', 'wapiti', 'slowhttptest'])
  await ensureBuilt()
  const postgres = await startThrowAwayPostgres()
  try {
    const env = { ...process.env, SCAN_DATABASE_URL: postgres.url, SERVER_PROGRAM: BUILT_SERVER }
    return await run(process.execPath, ['--import', 'tsx', 'scripts/security-scan.ts'], { env })
  } finally {
    postgres.stop()
  }
})
