import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from './process/ensure-system.mjs'
import { Stop } from './process/console-output.mjs'

/** It can be reached from here only. */
const SETTINGS = { max_connections: '200', listen_addresses: '127.0.0.1' }
/** A test's need not survive a power cut; what is measured must be as a real one. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' }
/** What anyone would give a database of millions of rows. */
const MEASURED = { shared_buffers: '512MB', work_mem: '32MB', max_wal_size: '4GB' }
/**
 * And of tens of millions: a quarter of the memory there is, as PostgreSQL's manual has it, and checkpoints that are minutes apart, as
 * after each the log carries every page that is changed as a whole once more.
 */
const LARGE = {
  ...MEASURED,
  shared_buffers: `${Math.floor(totalmem() / 4 / 1_048_576)}MB`,
  max_wal_size: '12GB',
  checkpoint_timeout: '15min',
}

/**
 * A PostgreSQL for one run, in a folder and on a port of its own. `crash` ends it as a lost machine would, `start` brings
 * it up again; `call` runs one of its programs as its user, `callMeanwhile` without
 * standing still for it; `restored` puts another one on a copy of its files.
 */
export async function startThrowAwayPostgres({ isDurable = false, isLarge = false } = {}) {
  return startIn(newFolder(), { isDurable, isLarge, isNew: true })
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-postgres-'))
  const { uid, gid } = owner()
  if (uid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** PostgreSQL refuses to run as root, and Debian's package brings a user for it. */
function owner() {
  return process.getuid() === 0 ? userIds('postgres') : {}
}

async function startIn(folder, { isDurable, isLarge, isNew }) {
  const programs = findPostgres()
  const data = join(folder, 'data')
  const port = await freePort()
  const call = (program, args) =>
    spawnSync(join(programs, program), args, {
      cwd: folder,
      ...owner(),
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
  // Also when the run is interrupted: nothing of it may stay behind.
  process.once('exit', stop)
  process.once('SIGHUP', () => process.exit(129))

  if (isNew) {
    const made = call('initdb', ['-D', data, '-U', 'fairwick', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
    if (made.status !== 0) throw new Stop(`initdb failed: ${made.stderr}`)
  }
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
  // A full disk may have ended it.
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
    data,
    stop,
    crash,
    start,
    startUnlessRunning,
    call,
    callMeanwhile,
    restored,
  }
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
    // It ended before it wrote one; what pg_ctl said has to do.
    return ''
  }
}
