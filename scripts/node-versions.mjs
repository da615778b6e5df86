// `npm run node-versions` runs the tests and starts the built server with the newest Node of each supported line. `npm
// run node-versions -- 24 src/core` runs only the named lines and tests. Not part of `npm test`, as each line takes as
// long as its tests.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT_SERVER, ensureBuilt, NODE_FLAGS } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { ROOT } from './lib/process/root.mjs'
import { run, runNpm } from './lib/process/run.mjs'
import { main, Stop, say, step } from './lib/process/console-output.mjs'

/**
 * Versions by line, pinned like every package. The registry has a package for each version, with a binary and without
 * an install script.
 */
const VERSIONS = { 22: '22.23.3', 24: '24.21.0' }
/** Default tests: rules, server and screens, on the embedded database. */
const TESTS = ['--project', 'node', '--project', 'page']
const STARTS_WITHIN_MS = 120_000

await main(async () => {
  const given = process.argv.slice(2)
  const lines = given.filter((name) => name in VERSIONS)
  const tests = given.filter((name) => !(name in VERSIONS))
  await ensurePackages()
  await ensureBuilt()
  let failed = 0
  for (const line of lines.length > 0 ? lines : Object.keys(VERSIONS)) {
    const node = await fetchNode(VERSIONS[line])
    say(`\n== Node ${VERSIONS[line]}`)
    const code = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...(tests.length > 0 ? tests : TESTS)])
    const isUp = await step('Starting the server', () => startsOn(node))
    if (code !== 0 || !isUp) failed += 1
  }
  say(failed === 0 ? '\nEvery line passed' : `\n${failed} failed`)
  return failed === 0 ? 0 : 1
})

/** Installs the given Node version with npm into a folder that builds and commits ignore. Returns its path. */
async function fetchNode(version) {
  const folder = join(ROOT, 'node_modules/.cache/node-versions', version)
  const name = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  await step(`Fetching Node ${version}`, async () => {
    const code = await runNpm([
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      `${name}@${version}`,
    ])
    if (code !== 0) throw new Stop(`npm has no Node ${version} for ${process.platform} on ${process.arch}.`)
  })
  return program
}

/**
 * Whether the built server, on the given Node version and with its own data folder, accepts orders and stops on
 * request.
 */
async function startsOn(node) {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-node-'))
  const server = spawn(node, [...NODE_FLAGS, BUILT_SERVER], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', FAIRWICK_DATA_DIR: folder, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  server.stdout.on('data', (text) => {
    printed += text
  })
  try {
    const until = performance.now() + STARTS_WITHIN_MS
    while (performance.now() < until && server.exitCode === null) {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      const answer = address && (await fetch(`${address}/readyz`).catch(() => null))
      if (answer?.ok) return true
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    say(printed)
    return false
  } finally {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}
