// `npm run drill -- backup`: takes a backup while users place orders, as docs/guides/operate.md says, restores it, and
// starts a server on the restored data. Runs on PostgreSQL with `--orders N` earlier orders (100,000), then on the
// embedded database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Crowd, startWithUsers } from './lib/crowd.ts'
import {
  waitUntilSettled,
  auditRestored,
  givenAgain,
  knownBy,
  putKeysBack,
  signInAgain,
  stillSignedIn,
} from './lib/restored.ts'
import { Site } from './lib/site.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { numberFor, reportAudit, seconds } from './lib/report.ts'

const ORDERS_BEFORE = 100
const GB = 1_000_000_000
/** 75 s: the server backfills missing receipts once a minute. */
const MAX_BACKFILL_MS = 75_000

const orders = numberFor('--orders', 100_000)
const isSound = [await onPostgres(), await onEmbedded()]
process.exitCode = isSound.every(Boolean) ? 0 : 1

async function onPostgres(): Promise<boolean> {
  const postgres = await startThrowAwayPostgres({ isDurable: true })
  const site = await Site.make(postgres.url)
  const copy = join(postgres.data, '../copy')
  try {
    if (orders > 0) await command('scripts/seed-large.ts', [String(Math.ceil(orders / 10)), String(orders)], site)
    const { port } = new URL(postgres.url)
    const args = ['-h', '127.0.0.1', '-p', port, '-U', 'fairwick', '-D', copy, '-X', 'stream', '-c', 'fast']
    return await drill('PostgreSQL', site, {
      take: async () => {
        const exitCode = await postgres.callMeanwhile('pg_basebackup', args)
        if (exitCode !== 0) throw new Error(`pg_basebackup exited with code ${exitCode}`)
      },
      size: () => bytesIn(copy),
      bringBack: async () => {
        const other = await postgres.restored((data) => renameSync(copy, data))
        return { site: await Site.make(other.url), end: () => other.stop() }
      },
    })
  } finally {
    await site.remove()
    postgres.stop()
  }
}

async function onEmbedded(): Promise<boolean> {
  const site = await Site.make()
  const copy = `${site.folder}-copy`
  try {
    return await drill('embedded database', site, {
      take: () => command('scripts/operator.ts', ['backup', 'take', copy], site),
      size: () => bytesIn(copy),
      bringBack: async () => {
        const other = await Site.make()
        cpSync(copy, other.folder, { recursive: true })
        return { site: other, end: () => {} }
      },
    })
  } finally {
    await site.remove()
    rmSync(copy, { recursive: true, force: true })
  }
}

interface Ways {
  readonly take: () => Promise<void>
  readonly size: () => number
  readonly bringBack: () => Promise<{ readonly site: Site; readonly end: () => void }>
}

async function drill(name: string, site: Site, { take, size, bringBack }: Ways): Promise<boolean> {
  const users = await startWithUsers(site)
  const crowd = new Crowd(users, site.address)
  await crowd.trades(ORDERS_BEFORE)
  const known = knownBy(crowd.witnesses)
  const backupMs = await timed(take)
  const gigabytes = size() / GB
  await crowd.trades(ORDERS_BEFORE)
  await crowd.finish()
  await site.running.stop()

  const begun = performance.now()
  const { site: other, end } = await bringBack()
  try {
    putKeysBack(site, other)
    await command('scripts/operator.ts', ['backup', 'restored'], other)
    const reason = 'The drill keeps no copy of the register elsewhere.'
    await command('scripts/operator.ts', ['register', 'begin-again', '--reason', reason], other)
    const again = await signInAgain(other, users)
    await other.start()
    const back = performance.now() - begun
    const signedIn = await stillSignedIn(other, users)
    const { requests, wrong } = await givenAgain(other, again, known)
    await waitUntilSettled(other, again)
    await pause(MAX_BACKFILL_MS)
    await other.running.stop()
    console.log(
      `${name}: ${gigabytes.toFixed(3)} GB, taken in ${seconds(backupMs)} (${seconds(backupMs / gigabytes)} a GB), ` +
        `its server ready ${seconds(back)} after the files were copied`,
    )
    console.log(
      `${signedIn} old sessions still open; ${requests} orders sent again, ${wrong.length} became a second order`,
    )
    for (const one of wrong) console.log(`WRONG: ${one}`)
    const isWhole = reportAudit(await auditRestored(other, known, crowd.witnesses))
    return isWhole && signedIn === 0 && wrong.length === 0
  } finally {
    await other.remove()
    end()
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Runs an operator command with the environment of this site's server. */
async function command(script: string, args: readonly string[], site: Site): Promise<void> {
  const environment = { ...process.env, ...site.environment }
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} exited with code ${code}`)
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
