// `npm run fuzz` repeats every test that has a random plan, with a new seed in each round, and prints the seeds of
// failures. `npm test` runs the same tests with one fixed seed. Add each failure found here as a fixed case to its
// test.
//
//   npm run fuzz                                  for 10 minutes
//   npm run fuzz -- --minutes 60 ledger orders    for an hour, only test files with one of these words in their path
//   npm run fuzz -- --seed 7 --only money.test    repeats one round exactly
//   npm run fuzz -- --times 300 attacks/fuzz      plans 300 times as large, for slow tests that have small plans
//   npm run fuzz -- --postgres                    on its own PostgreSQL instead of the embedded database
//
// Exit code: 1 when a test failed.
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ensureSystem } from './lib/process/ensure-system.mjs'
import { randomPlanFiles } from './lib/random-plan-files.mjs'
import { ROOT } from './lib/process/root.mjs'
import { run } from './lib/process/run.mjs'
import { duration, main, Stop, say } from './lib/process/console-output.mjs'
import { startThrowAwayPostgres } from './lib/throw-away-postgres.mjs'

const SEEDS = 2 ** 31
const SHOWN_LINES = 30

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    times: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
})

await main(async () => {
  const minutes = numberOf('--minutes', values.minutes)
  const times = numberOf('--times', values.times)
  const seed = values.seed === undefined ? undefined : numberOf('--seed', values.seed)
  checkNode()
  await ensurePackages()
  if (values.postgres) await ensureSystem(['postgres'])
  await ensureBuilt()
  const files = chosenFiles([...positionals, ...values.only])
  const reports = mkdtempSync(join(tmpdir(), 'fairwick-fuzz-'))
  const postgres = values.postgres ? await startThrowAwayPostgres() : undefined
  try {
    const round = { files, times, report: join(reports, 'round.json'), databaseUrl: postgres?.url }
    return seed === undefined ? await playRounds(round, minutes) : await playRound({ ...round, seed, number: 1 })
  } finally {
    postgres?.stop()
    rmSync(reports, { recursive: true, force: true })
  }
})

function numberOf(name, given) {
  const number = Number(given)
  if (!(number > 0)) throw new Stop(`${name} takes a number above 0, not ${given}.`)
  return number
}

function chosenFiles(words) {
  const files = randomPlanFiles().filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (files.length === 0)
    throw new Stop(`No test file with a random plan has one of these in its path: ${words.join(', ')}.`)
  return files
}

/** Runs rounds with new seeds until the time is over. The last round is completed. */
async function playRounds(round, minutes) {
  const started = performance.now()
  let [played, failed] = [0, 0]
  do {
    played += 1
    failed += await playRound({ ...round, number: played, seed: randomInt(1, SEEDS - 10_000) })
  } while (performance.now() - started < minutes * 60_000)
  say(`\n${played} rounds in ${duration(started)}, ${failed} with a failure`)
  return failed === 0 ? 0 : 1
}

/** Returns 1 when a test failed. */
async function playRound({ files, times, report, databaseUrl, number, seed }) {
  say(`Round ${number}, seed ${seed}: ${files.length} test files …`)
  const started = performance.now()
  const env = {
    ...process.env,
    RANDOM_SEED: String(seed),
    RANDOM_TIMES: String(times),
    TEST_DATABASE_URL: databaseUrl ?? '',
    SERVER_PROGRAM: BUILT_SERVER,
  }
  rmSync(report, { force: true })
  const args = ['run', ...files, '--silent', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { env })
  const failures = failuresIn(report)
  for (const { file, title, message } of failures) {
    const again = [`--seed ${seed}`, `--only ${file}`, ...(times > 1 ? [`--times ${times}`] : [])]
    if (databaseUrl !== undefined) again.push('--postgres')
    const [, path] = /path: "([^"]+)"/.exec(message) ?? []
    say(`\nFAILED ${file} › ${title}\n  seed ${seed}${path === undefined ? '' : `, path "${path}"`}`)
    say(message.split('\n').slice(0, SHOWN_LINES).join('\n').replace(/^/gm, '  '))
    say(`  again: npm run fuzz -- ${again.join(' ')}\n`)
  }
  if (code !== 0 && failures.length === 0) say(`Vitest exited with ${code} without a failed test.`)
  say(`Round ${number}, seed ${seed}: ${code === 0 ? 'passed' : 'FAILED'}, ${duration(started)}`)
  return code === 0 ? 0 : 1
}

function failuresIn(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(ROOT, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [{ file, title: '(the file itself)', message }]
    return failed.map((test) => ({ file, title: test.fullName, message: test.failureMessages.join('\n') }))
  })
}
