import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { OwnProof } from '#core/proof/own-proof.ts'
import { takeSnapshot } from '#server/liabilities/take-snapshot.ts'
import { createTestApp, type TestApp } from '#testing/test-app.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'
import { checkProofFile, COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-proof-file.ts'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let folder: string
let proof: OwnProof
let published: object
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-proof-'))
  app = await createTestApp(database)
  const { token } = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token, body: { amount: 123.45, method_id: 1 } })
  await takeSnapshot(app.ctx)
  const own = (await app.call(calls.ownLiability, { token })).body.data.proof
  if (own === null) throw new Error('there is one')
  proof = own
  published = (await app.call(calls.liabilities)).body
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

let files = 0
function fileOf(content: unknown): string {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const shorter = () => ({ ...proof, account: { ...proof.account, cash: '12344' } })

describe('the command', () => {
  it('takes a proof, alone, with its root and with the published records', () => {
    const file = fileOf(proof)
    const alone = checkProofFile([file])
    expect(alone.exitCode).toBe(MATCHES)
    expect(alone.lines).toContain(`Account ${proof.account.id}, 2026-03-18T15:00:00.000Z: 123.45 USDT owed`)
    expect(alone.lines.at(-1)).toContain('Compare it')
    for (const more of [
      ['--root', proof.record.root],
      ['--days', fileOf(published)],
    ]) {
      const { exitCode, lines } = checkProofFile([file, ...more])
      expect([exitCode, lines.at(-1)]).toEqual([MATCHES, 'It matches what was published.'])
    }
  })

  it('takes none that was tampered with, that has another root or was published otherwise', () => {
    expect(checkProofFile([fileOf(shorter())])).toMatchObject({ exitCode: DIFFERS })
    expect(checkProofFile([fileOf(proof), '--root', 'a'.repeat(64)])).toMatchObject({ exitCode: DIFFERS })
    const nothing = fileOf({ data: { days: [] } })
    expect(checkProofFile([fileOf(proof), '--days', nothing])).toMatchObject({ exitCode: DIFFERS })
  })

  it.each<[string, () => string[]]>([
    ['no file', () => []],
    ['two files', () => ['a', 'b']],
    ['a file that is not there', () => [join(folder, 'nothing.json')]],
    ['an option that there is not', () => [fileOf(proof), '--force']],
    ['a file that is cut off', () => [fileOf(JSON.stringify(proof).slice(0, -10))]],
    ['a file without a proof', () => [fileOf({ format: 'something else' })]],
    ['days that are none', () => [fileOf(proof), '--days', fileOf([])]],
  ])('could not check %s', (_, args) => {
    expect(checkProofFile(args()).exitCode).toBe(COULD_NOT_CHECK)
  })

  it('ends with the code that says so', () => {
    const script = fileURLToPath(new URL('../check-liabilities.ts', import.meta.url))
    const run = (file: string) => spawnSync(process.execPath, ['--import', 'tsx', script, file], { encoding: 'utf8' })
    expect(run(fileOf(proof))).toMatchObject({ status: MATCHES, stderr: '' })
    expect(run(fileOf(shorter())).status).toBe(DIFFERS)
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.runIf(hasPython)('the program in the documentation', () => {
  const documentation = readFileSync(new URL('../../docs/liabilities.md', import.meta.url), 'utf8')
  const program = /```python\n([\s\S]*?)```/.exec(documentation)?.[1] ?? ''

  it('takes the same proofs', () => {
    const printed = execFileSync('python3', ['-c', program, fileOf(proof)], { encoding: 'utf8' })
    expect(printed.trim()).toBe(`matches ${proof.record.total} ${proof.record.root}`)
  })

  it.each<[string, () => object]>([
    ['an amount', shorter],
    ['a part', () => ({ ...proof, parts: proof.parts.slice(1) })],
    ['the total', () => ({ ...proof, record: { ...proof.record, total: '1' } })],
    ['the time', () => ({ ...proof, record: { ...proof.record, taken_at: '2026-03-18T15:00:00.001Z' } })],
    [
      'a sum',
      () => ({
        ...proof,
        parts: proof.parts.map((part) => ({ ...part, siblings: part.siblings.map((one) => ({ ...one, sum: '1' })) })),
      }),
    ],
  ])('takes none in which %s was changed', (_, changed) => {
    const run = spawnSync('python3', ['-c', program, fileOf(changed())], { encoding: 'utf8' })
    expect([run.status, run.stderr.trim()]).toEqual([1, 'does not match'])
  })
})
