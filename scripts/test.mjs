// `npm test` runs all checks of the product, from formatting to browser journeys. `npm test -- unit e2e` runs only the
// named parts.
import { join } from 'node:path'
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { readPlaywrightResults, readVitestResults } from './lib/read-results.mjs'
import { run, runNpm } from './lib/process/run.mjs'
import { createScratchFolder } from './lib/process/scratch-folder.mjs'
import { duration, main, Stop, say } from './lib/process/console-output.mjs'
import { startThrowAwayPostgres } from './lib/throw-away-postgres.mjs'

const PARTS = {
  check: { title: 'Format, lint, types, unused code, texts', run: runChecks },
  unit: {
    title: 'Rules, server and screens: on PostgreSQL, and on the embedded database where it can differ',
    needs: ['postgres', 'nats', 'python'],
    run: runUnit,
  },
  e2e: { title: 'Journeys in a browser', needs: ['browser', 'firefox', 'fonts', 'postgres'], run: runJourneys },
  table: { title: 'The specification, row by row', after: ['unit', 'e2e'], run: runTable },
}

await main(async () => {
  checkNode()
  const names = chosenParts(process.argv.slice(2))
  await ensurePackages()
  await ensureSystem([...new Set(names.flatMap((name) => PARTS[name].needs ?? []))])

  const reports = createScratchFolder('fairwick-test-')
  // Temporary files of the tests go to this folder.
  process.env['TMPDIR'] = reports
  const postgres = names.some((name) => PARTS[name].needs?.includes('postgres'))
    ? await startThrowAwayPostgres()
    : undefined
  try {
    return await runParts(names, { reports, postgresUrl: postgres?.socketUrl })
  } finally {
    postgres?.stop()
  }
})

function chosenParts(given) {
  const unknown = given.find((name) => !(name in PARTS))
  if (unknown !== undefined) throw new Stop(`Unknown part ${unknown}. Known: ${Object.keys(PARTS).join(', ')}.`)
  const names = given.length > 0 ? given : Object.keys(PARTS)
  for (const name of names) {
    const missing = (PARTS[name].after ?? []).filter((before) => !names.includes(before))
    if (missing.length > 0)
      throw new Stop(`The part ${name} needs the results of ${missing.join(' and ')}: run them too.`)
  }
  return Object.keys(PARTS).filter((name) => names.includes(name))
}

/** Runs the parts in order until one fails, and prints the totals of all tests. */
async function runParts(names, context) {
  const total = { passed: 0, failed: 0, flaky: [] }
  for (const name of names) {
    const { title, run: runPart } = PARTS[name]
    say(`\n== ${title}`)
    const started = performance.now()
    const { code, results } = await runPart(context)
    total.passed += results?.passed ?? 0
    total.failed += results?.failed ?? 0
    total.flaky.push(...(results?.flaky ?? []))
    // If a part failed but reports no failed test, it counts as one failure.
    if (code !== 0 && !results?.failed) total.failed += 1
    say(`== ${title}: ${code === 0 ? 'passed' : 'FAILED'}, ${duration(started)}`)
    if (code !== 0) break
  }
  if (total.flaky.length > 0) {
    const heading = `\nFLAKY: ${total.flaky.length} passed only when tried again, and want mending:`
    say([heading, ...total.flaky].join('\n  '))
  }
  say(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
}

async function runChecks() {
  return { code: await runNpm(['run', '--silent', 'check'], { env: testEnvironment() }) }
}

async function runUnit({ reports, postgresUrl }) {
  // Tests start servers as separate processes, and built ones start in half the time.
  await ensureBuilt()
  const report = join(reports, 'unit.json')
  const env = testEnvironment({ TEST_DATABASE_URL: postgresUrl, SERVER_PROGRAM: BUILT_SERVER })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters], { env })
  return { code, results: readVitestResults(report) }
}

async function runJourneys({ reports, postgresUrl }) {
  await ensureBuilt()
  const report = join(reports, 'e2e.json')
  // Playwright repeats a failed journey once, because a busy machine can delay it. The totals at the end name each test
  // that passed only on its retry.
  const env = testEnvironment({ TEST_DATABASE_URL: postgresUrl, E2E_REPORT: report })
  const code = await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--retries=1'], { env })
  return { code, results: readPlaywrightResults(report) }
}

/** Checks that every row of the specification has a test that just passed. */
async function runTable({ reports }) {
  const args = [
    '--import',
    'tsx',
    'scripts/check-specification.ts',
    join(reports, 'unit.json'),
    join(reports, 'e2e.json'),
  ]
  return { code: await run(process.execPath, args) }
}

/**
 * Returns the caller's environment without variables that would start the product, or seed random plans, differently
 * than on a fresh machine.
 */
function testEnvironment(extra = {}) {
  const ours =
    /^(FAIRWICK_.*|RANDOM_.*|DATABASE_URL|DATABASE_POOL_SIZE|HOST|PORT|PUBLIC_URL|NATS_URL|SMTP_URL|LOG_LEVEL|NODE_ENV)$/
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name))), ...extra }
}
