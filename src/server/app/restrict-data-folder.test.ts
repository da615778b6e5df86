import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { restrictDataFolder } from '#server/app/restrict-data-folder.ts'
import { quiet } from '#test/support/quiet-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-open-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mode = (path: string) => statSync(join(folder, path)).mode & 0o777

it('A14: removes the access of other users to every folder and file of an older data folder', () => {
  mkdirSync(join(folder, 'data/database/base'), { recursive: true })
  mkdirSync(join(folder, 'data/uploads'))
  writeFileSync(join(folder, 'elsewhere'), '')
  for (const file of ['keys.json', 'database/base/1', 'uploads/receipt.pdf']) {
    writeFileSync(join(folder, 'data', file), '')
    chmodSync(join(folder, 'data', file), 0o644)
  }
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'data/link'))
  for (const open of ['data', 'data/database', 'data/database/base', 'data/uploads'])
    chmodSync(join(folder, open), 0o755)
  chmodSync(join(folder, 'elsewhere'), 0o644)

  restrictDataFolder(join(folder, 'data'), quiet)
  for (const each of ['data', 'data/database', 'data/database/base', 'data/uploads']) expect(mode(each)).toBe(0o700)
  for (const each of ['data/keys.json', 'data/database/base/1', 'data/uploads/receipt.pdf'])
    expect(mode(each)).toBe(0o600)
  expect(mode('elsewhere')).toBe(0o644)
})

it('A14: logs nothing when the folder does not exist yet', () => {
  expect(() => restrictDataFolder(join(folder, 'none'), quiet)).not.toThrow()
})
