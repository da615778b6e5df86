import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'
import { errorCode, StartUpError } from '#server/platform/runtime/startup-error.ts'

/** Who holds a data folder. A pid alone is not enough: after a crash or a reboot another process may have got it. */
interface Holder {
  readonly pid: number
  /** When that process started, as the system counts it; empty where the system does not say. */
  readonly started: string
  /** Where that number counts: a container has numbers of its own. Empty where the system does not say. */
  readonly space: string
  /** Of this lock and no other. */
  readonly nonce: string
}

/** How often the holder touches its lock. */
const BEAT_MS = SECOND_MS
/** A lock that was not touched for so long, and whose socket nobody answers, is of a holder that is gone. */
const SILENT_MS = 3.5 * SECOND_MS
/** The system's own limit for the path of a socket. */
const MAX_SOCKET_PATH = 100

export class DataFolderInUse extends StartUpError {}

export interface LockOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Pick<Log, 'error'>
  /** Another process has taken the folder while this one stood still: it must not write there any more. */
  readonly onLost: () => void
}

/**
 * Takes the data folder for this process, making it when it is missing, and gives back the way to let it go.
 * The embedded database would open a folder twice without a word and ruin it. A lock whose holder is gone is taken over.
 *
 * Holders in other containers cannot be asked by their process number, so the holder also listens on a socket beside the
 * lock, which a process on the same machine can reach, and touches the lock once a second, which everybody can see.
 *
 * Throws `DataFolderInUse` when another process holds the folder, another `StartUpError` when it cannot be written.
 */
export async function lockDataFolder(folder: string, options: LockOptions): Promise<() => void> {
  const lock = join(folder, 'lock')
  const nonce = randomBytes(12).toString('hex')
  const mine: Holder = { pid: process.pid, started: processStart(process.pid) ?? '', space: processSpace(), nonce }
  const draft = join(folder, `lock.${nonce}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
  } catch (error) {
    throw explainFolderError(error, folder)
  }
  try {
    await takeLock({ folder, lock, draft, clock: options.clock })
  } finally {
    rmSync(draft, { force: true })
  }
  try {
    return await hold(folder, lock, nonce, options)
  } catch (error) {
    rmSync(lock, { force: true })
    throw error
  }
}

/** A link is made whole or not at all, so nobody ever reads half a lock. */
async function takeLock(place: {
  readonly folder: string
  readonly lock: string
  readonly draft: string
  readonly clock: Pick<Clock, 'after'>
}): Promise<void> {
  const { folder, lock, draft } = place
  while (!tryLink(draft, lock)) {
    const holder = readHolder(lock)
    if (holder && (await isThere(holder, place))) throw heldBy(holder, folder)
    if (holder) dropStaleLock({ lock, holder, aside: `${draft}.stale` })
  }
}

/** Shows that it is held, until the answer is called. */
async function hold(folder: string, lock: string, nonce: string, options: LockOptions): Promise<() => void> {
  const { clock, log, onLost } = options
  const file = openSync(lock, 'r+')
  const server = await listen(folder)
  // Counted on from when it was made, not read from a clock: one that is put back must not hide a beat.
  let touched = Math.floor(statSync(lock).mtimeMs / SECOND_MS)
  let isOver = false
  let cancel: (() => void) | null = null
  const beat = (): void => {
    cancel = clock.after(BEAT_MS, beat)
    try {
      if (readHolder(lock)?.nonce === nonce) {
        touched += 1
        return futimesSync(file, touched, touched)
      }
    } catch {
      // A disk that is full, read-only or failing, or no file that may be opened: it says nothing of another holder.
      return
    }
    cancel()
    log.error(
      { folder },
      'the data folder was taken by another Fairwick while this one stood still, or its lock was deleted: this process ends with 1. Run only one server on a folder',
    )
    onLost()
  }
  beat()
  return () => {
    if (isOver) return
    isOver = true
    cancel?.()
    server?.close()
    closeSync(file)
    // Unless another process has put its own in its place.
    if (readHolder(lock)?.nonce === nonce) rmSync(lock, { force: true })
  }
}

/** Whether the holder of this lock lives. */
async function isThere(
  holder: Holder,
  { folder, lock, clock }: { readonly folder: string; readonly lock: string; readonly clock: Pick<Clock, 'after'> },
): Promise<boolean> {
  if (holder.space === processSpace()) return isAlive(holder)
  if (await isAnswered(folder)) return true
  const before = touchedAt(lock)
  await new Promise<void>((resolve) => clock.after(SILENT_MS, resolve))
  return touchedAt(lock) !== before
}

function touchedAt(lock: string): number | null {
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function socketPath(folder: string): string {
  const path = join(folder, 'lock.sock')
  const short = relative(process.cwd(), path)
  return short.length < path.length ? short : path
}

/** The system answers for a process that is stopped, and for none that is gone. */
async function isAnswered(folder: string): Promise<boolean> {
  const path = socketPath(folder)
  if (path.length > MAX_SOCKET_PATH) return false
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Null where no socket can be made: then the beats alone have to do. */
async function listen(folder: string): Promise<Server | null> {
  const path = socketPath(folder)
  if (path.length > MAX_SOCKET_PATH) return null
  rmSync(path, { force: true })
  const server = createServer((socket) => socket.destroy())
  server.unref()
  try {
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
    return server
  } catch {
    return null
  }
}

/** Moves the stale lock aside and looks again: another process may have just replaced it by its own, living one. */
function dropStaleLock({ lock, holder, aside }: { lock: string; holder: Holder; aside: string }): void {
  try {
    renameSync(lock, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (readHolder(aside)?.nonce !== holder.nonce) tryLink(aside, lock)
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
      return {
        pid: Number(read.pid),
        started: String(read.started),
        // Of a version that knew of no containers: it can only have been here.
        space: 'space' in read ? String(read.space) : processSpace(),
        nonce: 'nonce' in read ? String(read.nonce) : '',
      }
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  return { pid: 0, started: '', space: processSpace(), nonce: '' }
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

/** The machine since its start, and the numbers that processes have in it; empty where the system does not say. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Not Linux: there are no containers of this kind.
    return ''
  }
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

function heldBy({ pid, space }: Holder, folder: string): DataFolderInUse {
  const who = space === processSpace() ? `process ${pid}` : 'in another container or on another machine'
  return new DataFolderInUse(
    `The data folder ${folder} is in use by another Fairwick (${who}). Stop that one first, or give this one a folder of its own: FAIRWICK_DATA_DIR=.data-2`,
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
