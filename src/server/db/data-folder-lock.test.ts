import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDataFolder } from '#server/db/data-folder-lock.ts'
import { StartUpError } from '#server/start-up-error.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('makes the folder, and refuses a second holder until the first lets go', () => {
  const data = join(folder, 'a', 'b')
  const unlock = lockDataFolder(data)
  expect(() => lockDataFolder(data)).toThrow(StartUpError)
  expect(() => lockDataFolder(data)).toThrow(`in use by another Fairwick (process ${process.pid})`)
  unlock()
  lockDataFolder(data)()
})

it('takes over the lock of a process that was killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: child.pid, started: '' }))
  expect(() => lockDataFolder(folder)).toThrow(`process ${child.pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDataFolder(folder)()
})

it('takes over a lock whose process number now belongs to somebody else', () => {
  const unlock = lockDataFolder(folder)
  const mine: { started: string } = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))
  unlock()
  // Without a start time (not Linux) the number alone has to do.
  if (mine.started === '') return
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, started: `${mine.started}0` }))
  expect(() => lockDataFolder(folder)).not.toThrow()
})

it.each(['', '{"pid"', 'null', '{"pid":"x","started":""}'])('takes over a lock that says %j', (content) => {
  writeFileSync(join(folder, 'lock'), content)
  expect(() => lockDataFolder(folder)).not.toThrow()
})

it('says so when the folder is a file', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => lockDataFolder(join(folder, 'file'))).toThrow('is not a folder')
})

it.skipIf(process.getuid?.() === 0)('says so when the folder cannot be written', () => {
  chmodSync(folder, 0o500)
  expect(() => lockDataFolder(folder)).toThrow('cannot be written')
})
