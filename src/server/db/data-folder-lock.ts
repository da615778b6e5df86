import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, StartUpError } from '#server/start-up-error.ts'

/** Who holds a data folder. A pid alone is not enough: after a crash or a reboot another process may have got it. */
interface Holder {
  readonly pid: number
  /** When that process started, as the system counts it; empty where the system does not say. */
  readonly started: string
}

export class DataFolderInUse extends StartUpError {}

/**
 * Takes the data folder for this process, making it when it is missing, and gives back the way to let it go.
 * The embedded database would open a folder twice without a word and ruin it. A lock whose process is dead is taken over.
 * Throws `DataFolderInUse` when another process holds the folder, another `StartUpError` when it cannot be written.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = join(folder, 'lock')
  const mine: Holder = { pid: process.pid, started: processStart(process.pid) ?? '' }
  const draft = join(folder, `lock.${process.pid}.${randomBytes(4).toString('hex')}`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(draft, JSON.stringify(mine))
  } catch (error) {
    throw explainFolderError(error, folder)
  }
  try {
    takeLock({ folder, lock, draft })
  } finally {
    rmSync(draft, { force: true })
  }
  return () => rmSync(lock, { force: true })
}

/** A link is made whole or not at all, so nobody ever reads half a lock. */
function takeLock({ folder, lock, draft }: { folder: string; lock: string; draft: string }): void {
  while (!tryLink(draft, lock)) {
    const holder = readHolder(lock)
    if (holder && isAlive(holder)) throw heldBy(holder, folder)
    if (holder) dropStaleLock({ lock, aside: `${draft}.stale` })
  }
}

/** Moves the stale lock aside and looks again: another process may have just replaced it by its own, living one. */
function dropStaleLock({ lock, aside }: { lock: string; aside: string }): void {
  try {
    renameSync(lock, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readHolder(aside)
  if (moved && isAlive(moved)) tryLink(aside, lock)
  rmSync(aside, { force: true })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Nothing when the lock is gone; a lock that cannot be understood belongs to nobody alive. */
function readHolder(lock: string): Holder | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(lock, 'utf8'))
    if (typeof read === 'object' && read !== null && 'pid' in read && 'started' in read) {
      return { pid: Number(read.pid), started: String(read.started) }
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  return { pid: 0, started: '' }
}

function isAlive({ pid, started }: Holder): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false
  }
  const now = processStart(pid)
  return now === undefined || started === '' || now === started
}

/** Boot id and start time of a process on Linux; undefined where the system has no such files. */
function processStart(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may hold anything; the start time is the 20th field after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return started === undefined ? undefined : `${boot}:${started}`
  } catch {
    // Not Linux, or the process is gone: the pid alone has to do.
    return undefined
  }
}

function heldBy({ pid }: Holder, folder: string): DataFolderInUse {
  return new DataFolderInUse(
    `The data folder ${folder} is in use by another Fairwick (process ${pid}). Stop that one first, or give this one a folder of its own: FAIRWICK_DATA_DIR=.data-2`,
  )
}

function explainFolderError(error: unknown, folder: string): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartUpError(
        `The data folder ${folder} cannot be written. Let this user write there, or set FAIRWICK_DATA_DIR to a folder where it may.`,
        { cause: error },
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartUpError(`The data folder ${folder} is not a folder. Set FAIRWICK_DATA_DIR to one.`, {
        cause: error,
      })
    case 'ENOSPC':
      return new StartUpError(`There is no room left for the data folder ${folder}.`, { cause: error })
    default:
      return error
  }
}
