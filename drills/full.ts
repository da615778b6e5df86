// `npm run drill -- full`: under load, the disk of the database fills up, then has space again. Runs on PostgreSQL and
// on the embedded database.
// Needs root, to mount a small in-memory file system for each.
import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Site } from './lib/site.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

const FULL_MS = 15_000
const DISK_MB = 700

const before = tmpdir()
const disk = mkdtempSync(join(before, 'fairwick-disk-'))
if (process.getuid?.() !== 0) {
  console.log('Not run: only root may mount the small disk that this drill fills. Nothing was tried.')
} else {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { encoding: 'utf8' })
  if (mounted.status !== 0) {
    console.log(`Not run: a small disk cannot be mounted here (${mounted.stderr.trim()}). Nothing was tried.`)
  } else {
    chmodSync(disk, 0o711)
    process.env['TMPDIR'] = disk
    try {
      const isSound = [await onPostgres(), await onEmbedded()]
      process.exitCode = isSound.every(Boolean) ? 0 : 1
    } finally {
      spawnSync('umount', [disk])
    }
  }
}
rmSync(disk, { recursive: true, force: true })

async function onPostgres(): Promise<boolean> {
  console.log('PostgreSQL:')
  const postgres = await startThrowAwayPostgres({ isDurable: true })
  try {
    process.env['TMPDIR'] = before
    const site = await Site.make(postgres.url)
    return await faultDrill({ site, rounds: rounds(() => postgres.startUnlessRunning()) })
  } finally {
    process.env['TMPDIR'] = disk
    postgres.stop()
  }
}

async function onEmbedded(): Promise<boolean> {
  console.log('Embedded database:')
  return await faultDrill({ site: await Site.make(), rounds: rounds(() => {}) })
}

function rounds(afterwards: () => void): FaultRound[] {
  return Array.from({ length: roundsOr(2) }, () => ({
    what: `a full disk for ${seconds(FULL_MS)}`,
    faults: ['database_full'],
    blow: async () => {
      const filler = fill()
      await pause(FULL_MS)
      rmSync(filler)
      afterwards()
    },
  }))
}

/** Fills the disk to the last byte. */
function fill(): string {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  const bytes = Buffer.alloc(4_096)
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk)
      const size = Math.min(bavail * bsize, 1 << 20)
      if (size < bytes.length) break
      writeSync(file, size > bytes.length ? Buffer.alloc(size) : bytes)
    }
  } catch {
    // The write failed because another process has just used the last free space. The disk is full, as intended.
  } finally {
    closeSync(file)
  }
  return path
}
