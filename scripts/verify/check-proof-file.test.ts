import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { headOf } from '#core/proof/day-record.ts'
import { findFaults, type OwnProof, type ProofFault } from '#core/proof/own-proof.ts'
import { takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { runDocumentedProgram, startDocumentedProgram } from '#test/verifier/documented-program.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkProofFile, FAULTS } from './check-proof-file.ts'
import { COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-verdict.ts'

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
  it('LI8: accepts a proof, alone, with its root and with the published records', () => {
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

  it('LI8: refuses a proof that was changed, has another root or was published differently', () => {
    expect(checkProofFile([fileOf(shorter())])).toMatchObject({ exitCode: DIFFERS })
    expect(checkProofFile([fileOf(proof), '--root', 'a'.repeat(64)])).toMatchObject({ exitCode: DIFFERS })
    const nothing = fileOf({ data: { days: [] } })
    expect(checkProofFile([fileOf(proof), '--days', nothing])).toMatchObject({ exitCode: DIFFERS })
  })

  it.each<[string, () => string[]]>([
    ['no file', () => []],
    ['two files', () => ['a', 'b']],
    ['a missing file', () => [join(folder, 'nothing.json')]],
    ['an unknown option', () => [fileOf(proof), '--force']],
    ['a file that is cut off', () => [fileOf(JSON.stringify(proof).slice(0, -10))]],
    ['a file without a proof', () => [fileOf({ format: 'something else' })]],
    ['malformed days', () => [fileOf(proof), '--days', fileOf([])]],
    ['a malformed root', () => [fileOf(proof), '--root', 'abc']],
    [
      'P14: a root that is given twice',
      () => [fileOf(proof), '--root', proof.record.root, '--root', proof.record.root],
    ],
    ['P14: a proof with a repeated name', () => [fileOf(JSON.stringify(proof).replace('{', '{"version":1,'))]],
  ])('reports that it could not check %s', (_, args) => {
    expect(checkProofFile(args()).exitCode).toBe(COULD_NOT_CHECK)
  })

  it('LI8: exits with the code of the result', () => {
    const script = fileURLToPath(new URL('../check-liabilities.ts', import.meta.url))
    const run = (file: string) => spawnSync(process.execPath, ['--import', 'tsx', script, file], { encoding: 'utf8' })
    expect(run(fileOf(proof))).toMatchObject({ status: MATCHES, stderr: '' })
    expect(run(fileOf(shorter())).status).toBe(DIFFERS)
  })
})

type Change = (proof: OwnProof) => object
const inRecord =
  (change: object): Change =>
  (own) => ({ ...own, record: { ...own.record, ...change } })
/** Changes the record of the day and computes the hash (`head`) that fits the changed record, as a forger would. */
const inSealedRecord =
  (change: object): Change =>
  (own) => {
    const record = { ...own.record, ...change }
    return { ...own, record: { ...record, head: headOf(sha256, record) } }
  }
const inAccount =
  (change: object): Change =>
  (own) => ({ ...own, account: { ...own.account, ...change } })
const inPart =
  (change: object): Change =>
  (own) => ({ ...own, parts: own.parts.map((part, at) => (at === 1 ? { ...part, ...change } : part)) })
const inSibling =
  (change: object): Change =>
  (own) => ({
    ...own,
    parts: own.parts.map((part) => ({
      ...part,
      siblings: part.siblings.map((one, at) => (at === 2 ? { ...one, ...change } : one)),
    })),
  })

/** Changes, and the fault that command and program must both report. */
const REFUSED: readonly (readonly [what: string, word: ProofFault, change: Change])[] = [
  ['an amount', 'amounts', shorter],
  ['a part that is missing', 'form', (own) => ({ ...own, parts: own.parts.slice(1) })],
  ['a part too many', 'form', (own) => ({ ...own, parts: [...own.parts, own.parts[0]] })],
  ['a part shown twice', 'amounts', (own) => ({ ...own, parts: own.parts.map(() => own.parts[0]) })],
  ['parts in another order', 'tree', (own) => ({ ...own, parts: own.parts.toReversed() })],
  ['a leaf of another place', 'tree', (own) => inPart({ index: (own.parts[1]?.index ?? 0) ^ 1 })(own)],
  ['a leaf of another quarter', 'tree', (own) => inPart({ index: own.parts[0]?.index })(own)],
  ['a leaf before the first', 'tree', inPart({ index: -1 })],
  ['a leaf between two', 'form', inPart({ index: 16.5 })],
  ['a leaf index above the safe integers', 'form', inPart({ index: 2 ** 53 })],
  ['a shorter path', 'tree', (own) => inPart({ siblings: own.parts[1]?.siblings.slice(1) })(own)],
  ['a sum', 'tree', inSibling({ sum: '1' })],
  ['a sum above the largest number', 'form', inSibling({ sum: '9223372036854775808' })],
  ['sums whose total exceeds the largest number', 'tree', inSibling({ sum: '9223372036854775807' })],
  ['a sibling hash', 'tree', inSibling({ hash: 'a'.repeat(64) })],
  ['another account', 'tree', inAccount({ id: '0195a000-0000-7000-8000-000000000001' })],
  ['another salt', 'tree', inAccount({ salt: 'a'.repeat(64) })],
  [
    'money moved between the kinds of amounts',
    'tree',
    (own) => inAccount({ cash: '0', staked: own.account.cash })(own),
  ],
  ['the total', 'tree', inRecord({ total: '1' })],
  ['the total, sealed again', 'tree', inSealedRecord({ total: '1' })],
  ['the root, sealed again', 'tree', inSealedRecord({ root: 'a'.repeat(64) })],
  ['the number of leaves, sealed again', 'tree', inSealedRecord({ leaves: 128 })],
  ['the time', 'record', inRecord({ taken_at: '2026-03-18T15:00:00.001Z' })],
  ['the day', 'record', inRecord({ day: '2026-03-19' })],
  ['the day, sealed again', 'record', inSealedRecord({ day: '2026-03-19' })],
  ['the number', 'record', inRecord({ number: 2 })],
  ['the number, sealed again', 'record', inSealedRecord({ number: 2 })],
  ['a number of zero', 'record', inRecord({ number: 0 })],
  ['the head before the first', 'record', inSealedRecord({ previous: 'a'.repeat(64) })],
  ['the head', 'record', inRecord({ head: 'a'.repeat(64) })],
  ['the currency', 'record', inRecord({ currency: 'EUR' })],
  ['the currency, sealed again in small letters', 'record', inSealedRecord({ currency: 'usdt' })],
  ['a time without its thousandths', 'record', inRecord({ taken_at: '2026-03-18T15:00:00Z' })],
  ['a time of another zone', 'record', inRecord({ taken_at: '2026-03-18T16:00:00.000+01:00' })],
  ['a time that does not exist', 'record', inRecord({ taken_at: '2026-02-30T15:00:00.000Z', day: '2026-02-30' })],
  ['a time in digits of another script', 'record', inRecord({ taken_at: '２026-03-18T15:00:00.000Z' })],
  ...[
    '+5',
    '05',
    ' 5',
    '5 ',
    '-5',
    '',
    '5.0',
    '5e0',
    '0x5',
    '５',
    '5_0',
    '1'.repeat(30),
    '9223372036854775808',
  ].flatMap((text): (readonly [string, ProofFault, Change])[] => [
    [`an amount written "${text}"`, 'form', inPart({ amount: text })],
    [`money written "${text}"`, 'form', inAccount({ staked: text })],
    [`a sum written "${text}"`, 'form', inSibling({ sum: text })],
    [`a total written "${text}"`, 'tree', inRecord({ total: text })],
  ]),
  ['an id in capitals', 'form', (own) => inAccount({ id: own.account.id.toUpperCase() })(own)],
  ['an id without its lines', 'form', (own) => inAccount({ id: own.account.id.replaceAll('-', '') })(own)],
  ['an id in braces', 'form', (own) => inAccount({ id: `{${own.account.id}}` })(own)],
  ['a salt in capitals', 'form', (own) => inAccount({ salt: own.account.salt.toUpperCase() })(own)],
  ['a salt that is cut', 'form', (own) => inAccount({ salt: own.account.salt.slice(2) })(own)],
  ['a salt with blanks', 'form', (own) => inAccount({ salt: ` ${own.account.salt.slice(1)}` })(own)],
  ['a hash in capitals', 'form', inSibling({ hash: 'A'.repeat(64) })],
  ['a root in capitals', 'tree', (own) => inRecord({ root: own.record.root.toUpperCase() })(own)],
  ['a head in capitals', 'record', (own) => inRecord({ head: own.record.head.toUpperCase() })(own)],
]

const without = (part: 'record' | 'account', name: string): Change => {
  return (own) => ({ ...own, [part]: { ...own[part], [name]: undefined } })
}
const MALFORMED: readonly (readonly [what: string, text: (own: OwnProof) => string])[] = [
  ['nothing', () => ''],
  ['a proof that is cut off', (own) => JSON.stringify(own).slice(0, -10)],
  ['a list', () => '[]'],
  ['null', () => 'null'],
  ['no number', () => '{"version":NaN}'],
  ['something else', () => '{"format":"poem","version":1}'],
  ['nested without end', () => '['.repeat(100_000)],
  ...(
    [
      ['a version as text', (own) => ({ ...own, version: '1' })],
      ['a version of true', (own) => ({ ...own, version: true })],
      ['a version to come', (own) => ({ ...own, version: 2 })],
      ['the answer of the call', (own) => ({ data: { proof: own } })],
      ['no record', (own) => ({ ...own, record: null })],
      ['no account', (own) => ({ ...own, account: [] })],
      ['no parts', (own) => ({ ...own, parts: {} })],
      ['a part of null', (own) => ({ ...own, parts: [null] })],
      ['a leaf as text', inPart({ index: '16' })],
      ['a leaf of true', inPart({ index: true })],
      ['siblings of null', inPart({ siblings: null })],
      ['an amount as a number', inPart({ amount: 5 })],
      ['money as a number', inAccount({ cash: 12_345 })],
      ['a sum as a number', inSibling({ sum: 0 })],
      ['a total as a number', inRecord({ total: 12_345 })],
      ['a number as text', inRecord({ number: '1' })],
      ['leaves as text', inRecord({ leaves: '64' })],
      ['leaves of true', inRecord({ leaves: true })],
      ...(['number', 'day', 'taken_at', 'currency', 'leaves', 'total', 'root', 'previous', 'head'] as const).map(
        (name) => [`no ${name}`, without('record', name)] as const,
      ),
      ...(['id', 'salt', 'cash', 'staked', 'withdrawing'] as const).map(
        (name) => [`no ${name}`, without('account', name)] as const,
      ),
    ] as const satisfies readonly (readonly [string, Change])[]
  ).map(([what, change]) => [what, (own: OwnProof) => JSON.stringify(change(own))] as const),
]

describe('a changed proof', () => {
  it.each(REFUSED)('P14: with %s is refused by the command', (_, word, change) => {
    const changed = change(proof)
    const { exitCode, lines } = checkProofFile([fileOf(changed)])
    expect([exitCode, lines]).toEqual([DIFFERS, expect.arrayContaining([FAULTS[word]])])
    expect(findFaults(sha256, changed as OwnProof)).toContain(word)
  })

  it('P14: is refused by the documented program with the same fault', () => {
    const said = runDocumentedProgram(
      'liabilities',
      REFUSED.map(([, , change]) => ({ file: JSON.stringify(change(proof)) })),
    )
    expect(said.map(({ exitCode, text }, at) => [REFUSED[at]?.[0], exitCode, text])).toEqual(
      REFUSED.map(([what, word]) => [what, DIFFERS, `does not match: ${word}`]),
    )
  })
})

describe('a file without a proof', () => {
  it.each(MALFORMED)('P14: is reported as uncheckable in one line by the command: %s', (_, text) => {
    const { exitCode, lines } = checkProofFile([fileOf(text(proof))])
    expect([exitCode, lines]).toEqual([COULD_NOT_CHECK, [expect.stringMatching(/^[^\n]+$/)]])
  })

  it('P14: is reported as uncheckable by the documented program', () => {
    const said = runDocumentedProgram(
      'liabilities',
      MALFORMED.map(([, text]) => ({ file: text(proof) })),
    )
    expect(said.map(({ exitCode, text }, at) => [MALFORMED[at]?.[0], exitCode, text])).toEqual(
      MALFORMED.map(([what]) => [what, COULD_NOT_CHECK, expect.stringMatching(/^could not be checked: [^\n]+$/)]),
    )
  })
})

describe('the program in the documentation', () => {
  it('LI8, P14: accepts a proof that the command accepts, when it runs in its own process', () => {
    const { total, root } = proof.record
    expect(startDocumentedProgram('liabilities', [fileOf(proof)])).toEqual({
      exitCode: MATCHES,
      text: `matches ${total} ${root}`,
      stderr: '',
    })
  })

  it('P14: ends with one line and an exit code, never with a stack trace', () => {
    const line = expect.stringMatching(/^could not be checked: [^\n]+$/) as unknown
    for (const names of [[], [join(folder, 'nothing.json')], [fileOf('{')]]) {
      expect(startDocumentedProgram('liabilities', names)).toEqual({
        exitCode: COULD_NOT_CHECK,
        text: line,
        stderr: '',
      })
    }
    const differs = startDocumentedProgram('liabilities', [fileOf(shorter())])
    expect(differs).toEqual({ exitCode: DIFFERS, text: 'does not match: amounts', stderr: '' })
  })
})
