import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { StatementFile } from '#core/statement/statement-file.ts'
import { fileText, makeKey, OWN_KEY, ROWS, signed } from '#test/support/signed-statement.ts'
import { checkStatementFile } from './check-statement-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'statement-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const file = signed(ROWS)
const check = (content: StatementFile, ...more: string[]) =>
  checkStatementFile([written('statement.json', fileText(content)), ...more])

it('US2.4: the statement check confirms a genuine statement, and tells which key id to compare with the site', () => {
  const { exitCode, lines } = check(file)
  expect(exitCode).toBe(0)
  expect(lines).toEqual([
    'Statement of account 7K3M9QX2TD, 2026-11-03T00:00:00.000Z to 2026-11-04T00:00:00.000Z (Asia/Kathmandu), 6 rows',
    'Opening 0.00 USDT, closing 37.00 USDT',
    `Compare the key with the published ones, its id is computed here: ${OWN_KEY.key.kid}`,
    'It matches.',
  ])
})

it('US2.4: the statement check compares the key of the statement with the keys from the public call', () => {
  const keys = (key: unknown) => written('keys.json', JSON.stringify({ data: { keys: [key] } }))
  expect(check(file, '--keys', keys(OWN_KEY.key)).exitCode).toBe(0)
  const { exitCode, lines } = check(file, '--keys', keys(makeKey().key))
  expect([exitCode, lines.some((line) => line.startsWith('key_unknown: '))]).toEqual([1, true])
})

it.each<[string, StatementFile]>([
  ['form', { ...file, facts: `${file.facts} ` }],
  ['signature', { ...file, signature: signed(ROWS, { uid: '0000000000' }).signature }],
  ['rows', { ...file, rows: file.rows.replace('FW-3', 'FW-4') }],
  ['sum', signed(ROWS.slice(0, -1))],
  ['gap', signed(ROWS.filter(({ n }) => n !== 4))],
])('US2.4: names the verdict %s', (fault, changed) => {
  const { exitCode, lines } = check(changed)
  expect([exitCode, lines.at(-1)]).toEqual([1, 'THIS DOES NOT MATCH.'])
  expect(lines.some((line) => line.startsWith(`${fault}: `))).toBe(true)
})

it.each([
  ['no file', []],
  ['a file that is cut off', [written('cut.json', fileText(file).slice(0, -40))]],
  ['a file of something else', [written('other.json', '{}')]],
])('cannot check %s', (_, args) => expect(checkStatementFile(args).exitCode).toBe(2))
