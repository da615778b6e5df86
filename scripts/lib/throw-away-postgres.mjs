import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { findFaketime, findPostgres } from './process/ensure-system.mjs'
import { Stop } from './process/console-output.mjs'

/** The settings of the database, which is reachable only from this machine. */
const SETTINGS = { max_connections: '200', listen_addresses: '127.0.0.1' }
/** Tests need not survive a power failure. Measurements need real durability. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', jit: 'off', autovacuum: 'off' }
/** Usual settings for a database of millions of rows. */
const MEASURED = { shared_buffers: '512MB', work_mem: '32MB', max_wal_size: '4GB' }
/**
 * Settings for tens of millions of rows: a quarter of the memory, as PostgreSQL's manual advises, and checkpoints
 * minutes apart. After a checkpoint, the first change of each page writes the whole page to the write-ahead log.
 */
const LARGE = {
  ...MEASURED,
  shared_buffers: `${Math.floor(totalmem() / 4 / 1_048_576)}MB`,
  max_wal_size: '12GB',
  checkpoint_timeout: '15min',
}

/**
 * Starts a PostgreSQL for one run, with its own folder and port. A statement through `socketUrl`, a socket of this
 * machine's file system, takes a quarter less processor time than through `url`. `crash` ends it as a lost machine
 * would, and `start` starts it again. `call` runs a PostgreSQL program as the PostgreSQL user, `callMeanwhile` does so
 * without blocking. `restored` starts another PostgreSQL on a copy of the files. With `hasOwnClock` the clock of the
 * database differs from that of the machine by the milliseconds given to `shiftClock`. A new shift takes effect within
 * a second.
 */
export async function startThrowAwayPostgres({ isDurable = false, isLarge = false, hasOwnClock = false } = {}) {
  return startIn(newFolder(), { isDurable, isLarge, hasOwnClock, isNew: true })
}

function shiftedBy(clockFile) {
  return {
    LD_PRELOAD: findFaketime(),
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-postgres-'))
  const { uid, gid } = owner()
  if (uid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** PostgreSQL refuses to run as root. Debian's package creates a user for it. */
function owner() {
  return process.getuid() === 0 ? userIds('postgres') : {}
}

async function startIn(folder, { isDurable, isLarge, hasOwnClock = false, isNew }) {
  const clockFile = join(folder, 'clock')
  const shiftClock = (ms) => writeFileSync(clockFile, `${ms < 0 ? '' : '+'}${ms / 1_000}`)
  if (hasOwnClock) shiftClock(0)
  const programs = findPostgres()
  const data = join(folder, 'data')
  const port = await freePort()
  const call = (program, args) =>
    spawnSync(join(programs, program), args, {
      cwd: folder,
      ...owner(),
      env: { ...process.env, ...(hasOwnClock && shiftedBy(clockFile)) },
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })

  const callMeanwhile = async (program, args) => {
    const child = spawn(join(programs, program), args, {
      cwd: folder,
      ...owner(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    return code
  }

  const crash = () => call('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w'])
  const stop = () => {
    crash()
    rmSync(folder, { recursive: true, force: true })
    process.removeListener('exit', stop)
  }
  // Stops PostgreSQL on interruption too, so that no files or processes stay behind. This handler is registered first,
  // because other exit handlers remove the folder that contains the files of PostgreSQL.
  process.prependOnceListener('exit', stop)
  process.once('SIGHUP', () => process.exit(129))

  if (isNew) createFiles(call, data)
  const options = Object.entries({
    ...SETTINGS,
    ...(isLarge ? LARGE : isDurable ? MEASURED : NOT_DURABLE),
    port,
    unix_socket_directories: folder,
  }).map(([k, v]) => `-c ${k}=${v}`)
  const log = join(folder, 'log')
  const start = () => {
    const started = call('pg_ctl', ['start', '-D', data, '-l', log, '-w', '-o', options.join(' ')])
    if (started.status !== 0) throw new Stop(`PostgreSQL did not start: ${started.stderr}${readLog(log)}`)
  }
  // A full disk may have stopped PostgreSQL.
  const startUnlessRunning = () => {
    if (call('pg_ctl', ['status', '-D', data]).status !== 0) start()
  }
  start()
  const restored = async (take) => {
    const other = newFolder()
    take(join(other, 'data'))
    return startIn(other, { isDurable, isLarge, isNew: false })
  }
  return {
    url: `postgres://fairwick@127.0.0.1:${port}/postgres`,
    socketUrl: `postgres://fairwick@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`,
    data,
    shiftClock,
    stop,
    crash,
    start,
    startUnlessRunning,
    call,
    callMeanwhile,
    restored,
  }
}

function createFiles(call, data) {
  const access = ['-U', 'fairwick', '-A', 'trust']
  const result = call('initdb', ['-D', data, ...access, '-E', 'UTF8', '--locale=C', '--no-sync'])
  if (result.status !== 0) throw new Stop(`initdb failed: ${result.stderr}`)
}

function userIds(name) {
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function readLog(log) {
  try {
    return readFileSync(log, 'utf8')
  } catch {
    // PostgreSQL stopped before it wrote a log, so only the message of pg_ctl explains the failure.
    return ''
  }
}
