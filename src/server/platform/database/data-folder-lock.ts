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

/**
 * The holder of a data folder. A pid alone is not enough: after a crash or reboot another process may have the same
 * pid.
 */
interface Holder {
  readonly pid: number
  /** When that process started, by the system's count; empty where the system has none. */
  readonly started: string
  /** The namespace of the pid, because a container has its own pids. Empty where the system has none. */
  readonly space: string
  /** A random value that is unique to this lock. */
  readonly nonce: string
}

/** How often the holder touches its lock. */
const BEAT_MS = SECOND_MS
/** A lock untouched for 3.5 s, without a reply on its socket, belongs to a holder that is gone. */
const SILENT_MS = 3.5 * SECOND_MS
/** The system's limit for the path of a socket. */
const MAX_SOCKET_PATH = 100

export class DataFolderInUse extends StartUpError {}

export interface LockOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Pick<Log, 'error'>
  /**
   * Called when another process has taken the folder while this process was suspended. This process must not write
   * there any more.
   */
  readonly onLost: () => void
}

/**
 * Locks the data folder for this process, creating it if necessary. Returns a function that releases it. The embedded
 * database would open a folder twice without an error and corrupt it. A lock whose holder is gone is taken over.
 *
 * Holders in other containers cannot be found by pid. So the holder also listens on a socket next to the lock, which a
 * process on the same machine can reach. It also touches the lock once a second, which every process can see.
 *
 * Throws `DataFolderInUse` when another process holds the folder, another `StartUpError` when it is not writable.
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

/** Creating a link is atomic, so no process reads half a lock. */
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

/** Keeps the lock alive until the returned function is called. */
async function hold(folder: string, lock: string, nonce: string, options: LockOptions): Promise<() => void> {
  const { clock, log, onLost } = options
  const file = openSync(lock, 'r+')
  const server = await listen(folder)
  // Touches are counted from the creation time of the lock instead of a clock: a clock that is set back must not hide a
  // touch.
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
      // The disk is full, read-only or failing, or no more files may be opened. That does not mean that another process
      // holds the folder.
      return
    }
    cancel()
    log.error(
      { folder },
      'the data folder was taken by another Fairwick while this one was suspended, or its lock was deleted: this process ends with 1. Run only one server on a folder',
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
    // Deletes the lock, unless another process has replaced it by a new lock.
    if (readHolder(lock)?.nonce === nonce) rmSync(lock, { force: true })
  }
}

/** Whether the holder of this lock is alive. */
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

/**
 * Returns whether the lock's socket accepts a connection. The system accepts connections even for a suspended process,
 * but not for a dead process.
 */
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

/**
 * Listens on the lock's socket. Returns null where no socket can be created. Then only the touched lock shows a live
 * holder.
 */
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

/** Moves the stale lock aside and checks it again: another process may have just replaced it by a new lock. */
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

/**
 * Reads the holder of the lock. Returns undefined when the lock is gone. An unreadable lock belongs to no live process.
 */
function readHolder(lock: string): Holder | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(lock, 'utf8'))
    if (typeof read === 'object' && read !== null && 'pid' in read && 'started' in read) {
      return {
        pid: Number(read.pid),
        started: String(read.started),
        // A lock without this field is from an older version, so its process must be in this namespace.
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
    // EPERM: the process is alive and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false
  }
  const now = processStart(pid)
  return now === undefined || started === '' || now === started
}

/** The machine's boot id and its pid namespace; empty where the system has none. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Not Linux: no such containers exist.
    return ''
  }
}

/** Boot id and start time of a process on Linux; undefined where the system has no such files. */
function processStart(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain any character. The start time is the 20th field after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return started === undefined ? undefined : `${boot}:${started}`
  } catch {
    // Not Linux, or the process is gone: only the pid can be compared.
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
