import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataFolder } from '#server/platform/database/data-folder-lock.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const HOLDER = fileURLToPath(new URL('../../../../test/support/hold-folder.ts', import.meta.url))
/** Whether this machine allows a separate pid namespace, as containers have. */
const canSeparate = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

let folder: string
let held: (() => void)[] = []
let children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-lock-'))
})
afterEach(async () => {
  for (const unlock of held.splice(0)) unlock()
  for (const child of children.splice(0)) {
    spawnSync('pkill', ['-KILL', '-P', String(child.pid)])
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function lock(data = folder, onLost = () => {}): Promise<() => void> {
  const unlock = await lockDataFolder(data, { clock: systemClock, log: quiet, onLost })
  held.push(unlock)
  return unlock
}

/**
 * Starts a process that holds the folder or reports why not. `command` is put in front of the process's own command.
 */
async function holder(command: readonly string[] = []): Promise<{ child: ChildProcess; said: string }> {
  const [program, ...args] = [...command, process.execPath, '--import', 'tsx', HOLDER, folder]
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Kills the inner process first, because its namespace ends with it. */
async function killContainer(child: ChildProcess): Promise<void> {
  spawnSync('pkill', ['-KILL', '-P', String(child.pid)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

it('the lock creates the data folder, and refuses a second process until the first process releases it', async () => {
  const data = join(folder, 'a', 'b')
  const unlock = await lock(data)
  await expect(lock(data)).rejects.toThrow(StartUpError)
  await expect(lock(data)).rejects.toThrow(`in use by another Fairwick (process ${process.pid})`)
  unlock()
  ;(await lock(data))()
  expect(existsSync(join(data, 'lock'))).toBe(false)
})

it('a process takes over the lock of a killed process at once', async () => {
  const { child } = await holder()
  await expect(lock()).rejects.toThrow(`process ${child.pid}`)
  await kill(child)
  await lock()
})

it('a process takes over a lock whose pid now belongs to another process', async () => {
  const unlock = await lock()
  const mine: { started: string } = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))
  unlock()
  // Without a start time (not Linux) only the pid can be compared.
  if (mine.started === '') return
  writeFileSync(join(folder, 'lock'), JSON.stringify({ ...mine, started: `${mine.started}0` }))
  await expect(lock()).resolves.toBeTypeOf('function')
})

it.each(['', '{"pid"', 'null', '{"pid":"x","started":""}'])('takes over a lock that contains %j', async (content) => {
  writeFileSync(join(folder, 'lock'), content)
  await expect(lock()).resolves.toBeTypeOf('function')
})

describe('A8: a data folder that another container shares', () => {
  const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

  it.runIf(canSeparate)('A8: refuses a second server in its own pid namespace', async () => {
    await lock()
    const { said } = await holder(CONTAINER)
    expect(said).toContain('in use by another Fairwick (in another container or on another machine)')
  })

  it.runIf(canSeparate)('A8: refuses a server when the holder is in another pid namespace', async () => {
    const { said } = await holder(CONTAINER)
    expect(said).toContain('held')
    await expect(lock()).rejects.toThrow('in another container')
  })

  it.runIf(canSeparate)('A8: refuses a server while the holder in the other namespace is suspended', async () => {
    const { child } = await holder(CONTAINER)
    spawnSync('pkill', ['-STOP', '-P', String(child.pid)])
    await expect(lock()).rejects.toThrow('in another container')
  })

  it.runIf(canSeparate)('A8: takes over the folder of a killed container', async () => {
    const { child } = await holder(CONTAINER)
    await killContainer(child)
    await expect(lock()).resolves.toBeTypeOf('function')
  })

  it('A8: refuses a server while another machine touches the lock, and takes over afterwards', async () => {
    const path = join(folder, 'lock')
    writeFileSync(path, JSON.stringify({ pid: 1, started: 'x:1', space: 'another machine', nonce: 'theirs' }))
    let beats = 0
    const beating = setInterval(() => {
      beats += 1
      utimesSync(path, beats, beats)
    }, 200)
    await expect(lock()).rejects.toThrow('on another machine')
    clearInterval(beating)
    await lock()
  })

  it('A8: refuses a second server that uses a link to the folder', async () => {
    await lock()
    const link = `${folder}-link`
    symlinkSync(folder, link)
    try {
      await expect(lock(link)).rejects.toThrow('in use by another Fairwick')
    } finally {
      rmSync(link)
    }
  })

  it('A8: notifies a suspended holder when another process has taken the folder', async () => {
    let tell = () => {}
    const lost = new Promise<void>((resolve) => {
      tell = resolve
    })
    await lock(folder, tell)
    rmSync(join(folder, 'lock'))
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 1, started: '', space: 'elsewhere', nonce: 'theirs' }))
    await lost
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toContain('theirs')
  })
})

it('A14: creates a folder, lock and socket that no other user can open', async () => {
  const data = join(folder, 'own')
  await lock(data)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  for (const name of ['lock', 'lock.sock']) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600)
})

it('an error reports that the path of the data folder is a file', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(lock(join(folder, 'file'))).rejects.toThrow('is not a folder')
})

it.skipIf(process.getuid?.() === 0)('reports that the folder is not writable', async () => {
  chmodSync(folder, 0o500)
  await expect(lock()).rejects.toThrow('cannot be written')
})
