// The main part of `npm run security:scan`: starts the product, runs the scanners and writes their findings.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { runControl } from './security-scan/control.ts'
import { startFormGateway } from './security-scan/form-gateway.ts'
import { pagesOf } from './security-scan/pages.ts'
import { openFindings, writeReport, type ScanOf } from './security-scan/report.ts'
import { openSessions } from './security-scan/sessions.ts'
import { runSlow } from './security-scan/slow.ts'
import { runSqlmaps } from './security-scan/sqlmap.ts'
import { type Paths, staffPaths, type Target, targetsOf } from './security-scan/targets.ts'
import { runWapiti } from './security-scan/wapiti.ts'

/** Raised limits. A scanner would exceed their defaults within a second. All other settings are the defaults. */
const RAISED = {
  FAIRWICK_CALLS_PER_ADDRESS: '1000000',
  FAIRWICK_CALLS_PER_ACCOUNT: '1000000',
  FAIRWICK_SIGN_UPS_PER_HOUR: '1000000',
}
const CONNECTIONS = 1_000
const minutes = Number(process.env['SCAN_MINUTES'] ?? 12)
const share = (part: number): number => minutes * 60_000 * part

const startedAt = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'fairwick-scan-'))
const given = process.env['SCAN_DATABASE_URL'] ?? ''
const say = (line: string): void => console.log(line)
const database = await createEmptyPostgresDatabase(given)
try {
  say('Running the scanners against a deliberately vulnerable server …')
  const control = await runControl({ databaseUrl: given, folder })
  for (const { tool, what, found } of control) say(`  ${tool}: ${what}: ${found ? 'found' : 'NOT FOUND'}`)

  const server = await startServerProcess({
    ...RAISED,
    DATABASE_URL: database.url,
    FAIRWICK_DATA_DIR: join(folder, 'data'),
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'error',
  })
  // Stops the server on interruption too.
  process.once('exit', () => {
    if (!server.hasExited()) process.kill(server.pid)
  })
  try {
    const { address } = server
    const { user, staff, known } = await openSessions(address)
    const document = (await (await fetch(`${address}/api/openapi.json`)).json()) as { paths: Paths }
    const pages = pagesOf()
    const scan = async (who: 'user' | 'staff', headers: Record<string, string>, targets: Target[]): Promise<ScanOf> => {
      const gateway = await startFormGateway({ address, headers, pages: pages[who], targets })
      try {
        say(`sqlmap as ${who}: ${targets.length} calls …`)
        const place = (tool: string) => ({ address: gateway.address, folder: join(folder, `${who}-${tool}`) })
        const sqlmap = await runSqlmaps(targets, { ...place('sqlmap'), maxMs: share(0.5) })
        say(`sqlmap as ${who}: ${sqlmap.places} places, ${sqlmap.findings.length} findings. Wapiti as ${who} …`)
        const time = { maxMs: share(0.4), moduleSeconds: Math.round(share(0.3) / 15_000) }
        const wapiti = await runWapiti({ ...place('wapiti'), ...time })
        say(`Wapiti as ${who}: ${wapiti.findings.length} findings`)
        const isSignedIn = (
          await fetch(`${gateway.address}${who === 'user' ? '/api/user/profile' : '/api/admin/sessions'}`)
        ).ok
        const { failures, passed } = gateway
        return {
          who,
          targets: targets.length,
          pages: pages[who].length,
          requests: passed(),
          failures,
          isSignedIn,
          sqlmap,
          wapiti,
        }
      } finally {
        await gateway.close()
      }
    }
    const scans = await Promise.all([
      scan('user', user, targetsOf(document.paths, known)),
      scan('staff', staff, targetsOf(staffPaths(), known)),
    ])
    say('slowhttptest …')
    const largeFile = `/assets/${biggestAsset()}`
    const seconds = Math.round(share(0.1) / 3_000)
    const slow = await runSlow({ address, folder: join(folder, 'slow'), connections: CONNECTIONS, seconds, largeFile })
    const found = {
      control,
      scans,
      slow,
      versions: versions(),
      tookMs: performance.now() - startedAt,
      minutes,
      survived: !server.hasExited(),
    }
    mkdirSync('test-results', { recursive: true })
    writeFileSync('test-results/security-scan.md', writeReport(found, new Date()))
    writeFileSync('test-results/security-scan.log', server.output())
    const open = openFindings(found)
    for (const one of open) say(`OPEN: ${one}`)
    say(`${open.length} open; test-results/security-scan.md has it all`)
    process.exitCode = open.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
} finally {
  await database.drop()
  if (process.env['SCAN_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true })
  else say(`The output of the scanners is in ${folder}`)
}

function biggestAsset(): string {
  const files = readdirSync('dist/web/assets').filter((file) => file.endsWith('.js'))
  const size = (file: string): number => statSync(join('dist/web/assets', file)).size
  return files.toSorted((a, b) => size(b) - size(a))[0] ?? ''
}

function versions(): Record<string, string> {
  const debian = (name: string): string =>
    execFileSync('dpkg-query', ['--show', '--showformat=${Version}', name], { encoding: 'utf8' })
  return Object.fromEntries(['sqlmap', 'wapiti', 'slowhttptest'].map((name) => [name, debian(name)]))
}
