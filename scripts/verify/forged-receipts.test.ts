import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { readBundleFile } from '#core/proof/bundle-file.ts'
import type { BundleFault } from '#core/proof/check-bundle.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { factsText, type ResultFacts } from '#core/proof/receipt-facts.ts'
import { runDocumentedProgram, startDocumentedProgram } from '#test/verifier/documented-program.ts'
import { aSignedOrder, makeSigner, signReceipt, type SignedOtherwise } from '#test/support/signed-order.ts'
import { checkByPage } from './check-by-page.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { COULD_NOT_CHECK, DIFFERS, faultText, MATCHES } from './check-verdict.ts'

// A forger can sign anything with their own keys. So facts that a signature cannot make true must be computed by the
// check.

const folder = mkdtempSync(join(tmpdir(), 'fairwick-forged-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllGlobals())

const { bundle, line } = aSignedOrder({ isOwn: true, exit: 9_399_000 })
const [published] = bundle.keys
const HONEST = JSON.parse(bundle.result?.facts ?? '') as ResultFacts
const forger = makeSigner()

/**
 * The parts of a check file to forge. `forge` adapts all other parts to them and signs the result with the forger's
 * key.
 */
interface Forgery extends SignedOtherwise {
  readonly facts?: (facts: ResultFacts) => object
  /** Rewrites the text of the result's facts. */
  readonly text?: (text: string) => string
  readonly entryLog?: readonly LogBatch[]
  readonly exitLog?: readonly LogBatch[]
  readonly keys?: readonly object[]
  readonly path?: readonly object[]
}

function forge(forgery: Forgery): string {
  const { facts = (same) => same, text = (same) => same, entryLog, exitLog, keys, path, ...otherwise } = forgery
  const { header } = otherwise
  const changed = { ...facts(HONEST) } as ResultFacts
  const { result: _, ...terms } = changed
  const accepted = factsText({ ...terms, kind: 'accepted' })
  const result = signReceipt(text(factsText(changed)), 'result', forger, otherwise)
  return JSON.stringify({
    format: 'fairwick-check',
    version: 1,
    accepted: signReceipt(accepted, 'accepted', forger, header && { header }),
    result: { ...result, ...(path && { path }) },
    evidence: { entry_log: entryLog ?? bundle.entryLog, exit_log: exitLog ?? bundle.exitLog, line },
    keys: keys ?? [forger.published],
  })
}

/** Rebuilds batches with changed texts, correct hashes and correct links. */
function relog(log: readonly LogBatch[], change: (batch: LogBatch, at: number) => Partial<LogBatch>): LogBatch[] {
  let before: string | null = null
  return log.map((batch, at) => {
    const next: LogBatch = { ...batch, ...(before !== null && { previous_hash: before }), ...change(batch, at) }
    before = createHash('sha256').update(Buffer.from(next.previous_hash, 'hex')).update(next.payload).digest('hex')
    return { ...next, hash: before }
  })
}

const headOf = (log: readonly LogBatch[]) => ({ q: log.at(-1)?.last_seq ?? 0, hash: log.at(-1)?.hash ?? '' })
const owned = (text: string): Forgery => ({
  owner: text,
  facts: (facts) => ({ ...facts, owner: createHash('sha256').update(text).digest('hex') }),
})
const HEADER = `2 live ${'a'.repeat(64)}`
const ORDER = '0195a000-0000-7000-8000-000000000001'

const quietLog = aSignedOrder({ exit: null }).bundle.exitLog
/**
 * The whole tick log of the order. Its middle batch does not depend on the exit price, so it comes from an order
 * without one.
 */
const wholeLog = [...bundle.entryLog, ...quietLog.slice(1, 2), ...bundle.exitLog]
/** Malformed texts of a batch, each with the line of its tick. No real log has such texts. */
const MALFORMED_TEXTS: readonly (readonly [what: string, text: (line: string) => string])[] = [
  ['a header without a hash', (line) => `2 live ${'a'.repeat(63)}\nt ${line} 7\n`],
  ['a header of an unknown kind', (line) => `2 last ${'a'.repeat(64)}\nt ${line} 7\n`],
  ['a header twice', (line) => `${HEADER}\n${HEADER}\nt ${line} 7\n`],
  ['a line of text 1 in text 2', (line) => `${HEADER}\n${line}\n`],
  ['a number of the provider with zeros', (line) => `${HEADER}\nt ${line} 07\n`],
  ['a number of the provider above 2^53', (line) => `${HEADER}\nt ${line} 9007199254740992\n`],
  ['no number of the provider', (line) => `${HEADER}\nt ${line}\n`],
  ['left-out numbers that run back', (line) => `${HEADER}\nx 1 test 6 5 lost\nt ${line} 7\n`],
  ['an unknown reason', (line) => `${HEADER}\nx 1 test 6 6 hidden\nt ${line} 7\n`],
  ['a line without a place at the end', (line) => `${HEADER}\nt ${line} 7\nx 1 test 8 8 lost\n`],
  ['late evidence among prices', (line) => `${HEADER}\ne ${line} 7\n`],
  ['a price among late evidence', (line) => `2 late ${'a'.repeat(64)} one\nt ${line} 7\n`],
  ['late evidence of no incident', (line) => `2 late ${'a'.repeat(64)}\ne ${line} 7\n`],
]
const IN_TEXT_2 = MALFORMED_TEXTS.map(([what, text]): readonly [string, BundleFault, Forgery] => {
  const entryLog = relog(bundle.entryLog, ({ payload }) => ({ payload: text(payload.trimEnd()) }))
  return [`text 2 with ${what}`, 'log', { entryLog, facts: (facts) => ({ ...facts, head: headOf(entryLog) }) }]
})

/** A tick log with other prices from the beginning. */
const otherLog = relog(quietLog, ({ payload }) => ({
  payload: payload.replace('9400000', '9400001'),
}))

const FORGED: readonly (readonly [what: string, word: BundleFault, forgery: Forgery])[] = [
  [
    'a published id over the forger’s key',
    'key_unknown',
    {
      facts: (facts) => ({ ...facts, result: 'win' }),
      header: { kid: published?.kid },
      keys: [{ ...forger.published, kid: published?.kid }],
    },
  ],
  [
    'a published id over the forger’s key, named by its own id',
    'key_unknown',
    { keys: [{ ...forger.published, kid: published?.kid }] },
  ],
  ['a published id next to the forger’s key', 'key_unknown', { header: { kid: published?.kid } }],
  [
    'the published key and the forger’s key under one id',
    'signature',
    { header: { kid: published?.kid }, keys: [{ ...forger.published, kid: published?.kid }, published ?? {}] },
  ],
  ['no id', 'key_unknown', { header: { kid: null } }],
  [
    'an id in another case',
    'key_unknown',
    {
      header: { kid: forger.published.kid.toUpperCase() },
      keys: [{ ...forger.published, kid: forger.published.kid.toUpperCase() }],
    },
  ],
  ['a key that is too short', 'key_unknown', { keys: [{ ...forger.published, x: forger.published.x.slice(4) }] }],
  ['a key in another encoding', 'key_unknown', { keys: [{ ...forger.published, x: `${forger.published.x}=` }] }],
  ['another algorithm', 'signature_form', { header: { alg: 'none' } }],
  ['a header with critical extensions', 'signature_form', { header: { crit: ['b64'] } }],
  // In trees of three and of four leaves, the path of the second leaf is the same.
  ...[1, 2, 5, 1_000_000].map(
    (count) => [`a tree of ${count} with the path of one of three`, 'root', { content: { count } }] as const,
  ),
  ...[0, -1, 2.5, '3', null].map(
    (count) => [`a tree of ${JSON.stringify(count)}`, 'signature_form', { content: { count } }] as const,
  ),
  ['no path', 'root', { path: [], content: { count: 1 } }],
  ['a root in capital letters', 'signature_form', { content: { root: 'A'.repeat(64) } }],
  ['the kind of the other receipt', 'root', { content: { kind: 'accepted' } }],
  ['a time of signing as text', 'signature_form', { content: { made_ms: '1773835261300' } }],
  ['a signature from before the expiry', 'times', { content: { made_ms: HONEST.expires_ms - 1 } }],
  ['a signature from before its key', 'key_retired', { content: { made_ms: 0 } }],
  ['an expiry before the opening', 'times', { facts: (facts) => ({ ...facts, opened_ms: facts.expires_ms }) }],
  ['a decision before the expiry', 'times', { facts: (facts) => ({ ...facts, decided_ms: facts.expires_ms - 1 }) }],
  ['a result that the prices do not give', 'result', { facts: (facts) => ({ ...facts, result: 'win' }) }],
  ['a direction that the result does not fit', 'result', { facts: (facts) => ({ ...facts, direction: 'sell' }) }],
  ['another symbol', 'entry', { facts: (facts) => ({ ...facts, symbol_id: 2 }) }],
  ['an older tick as entry', 'entry', { facts: (facts) => ({ ...facts, entry: { ...facts.entry, q: 9 } }) }],
  ['a better entry', 'entry', { facts: (facts) => ({ ...facts, entry: { ...facts.entry, price: 1 } }) }],
  [
    'a tick of another time as exit',
    'exit',
    { facts: (facts) => ({ ...facts, exit: { ...Object(facts.exit), time_ms: 1 } }) },
  ],
  [
    'a next tick that does not exist',
    'next',
    { facts: (facts) => ({ ...facts, next: { ...Object(facts.next), q: 7 } }) },
  ],
  [
    'a void with a price',
    'price',
    {
      facts: (facts) => ({ ...facts, exit: null, void: 'no_tick_before_expiry', result: 'draw' }),
      exitLog: wholeLog,
    },
  ],
  [
    'a log head at another sequence number',
    'head',
    { facts: (facts) => ({ ...facts, head: { ...facts.head, q: 7 } }) },
  ],
  [
    'a log that shrank',
    'head',
    {
      facts: (facts) => ({
        ...facts,
        opened_ms: facts.expires_ms - 1_000,
        head: headOf(bundle.exitLog),
        entry: Object(facts.next),
      }),
      entryLog: bundle.exitLog,
      exitLog: bundle.exitLog.slice(0, -1),
      text: (text) =>
        text.replace(/"decided_head":.*$/, `"decided_head":${JSON.stringify(headOf(bundle.exitLog.slice(0, -1)))}}`),
    },
  ],
  [
    'pieces of two logs',
    'log',
    {
      entryLog: otherLog.slice(0, 1),
      facts: (facts) => ({ ...facts, head: headOf(otherLog.slice(0, 1)), entry: { ...facts.entry, price: 9_400_001 } }),
      exitLog: quietLog,
    },
  ],
  [
    'a log that begins in the middle',
    'log',
    {
      entryLog: relog(bundle.entryLog, () => ({ previous_hash: 'a'.repeat(64) })),
      facts: (facts) => ({ ...facts, head: headOf(relog(bundle.entryLog, () => ({ previous_hash: 'a'.repeat(64) }))) }),
    },
  ],
  [
    'a line with zeros before a number',
    'log',
    { entryLog: relog(bundle.entryLog, ({ payload }) => ({ payload: payload.replace(' 1 ', ' 01 ') })) },
  ],
  [
    'a line with digits of another script',
    'log',
    { entryLog: relog(bundle.entryLog, ({ payload }) => ({ payload: payload.replace('9400000', '９４０００００') })) },
  ],
  [
    'a sequence number with a sign',
    'log',
    { entryLog: relog(bundle.entryLog, ({ payload }) => ({ payload: `+${payload}` })) },
  ],
  ...IN_TEXT_2,
  ["an owner's part in another order", 'owner', owned(`{"stake":"1000","order":"${ORDER}","currency":"USDT"}`)],
  ["an owner's part with a number", 'owner', owned(`{"order":"${ORDER}","stake":1000,"currency":"USDT"}`)],
  [
    "an owner's part with more in it",
    'owner',
    owned(`{"order":"${ORDER}","stake":"1000","currency":"USDT","won":"1"}`),
  ],
  ["an owner's part that is no JSON", 'owner', owned('a thousand')],
  [
    "an owner's part with zeros before the stake",
    'owner',
    owned(`{"order":"${ORDER}","stake":"01000","currency":"USDT"}`),
  ],
  ['facts with a space', 'form', { text: (text) => text.replace(',', ', ') }],
  ['facts with a number as text', 'form', { text: (text) => text.replace('"payout_bp":8000', '"payout_bp":"8000"') }],
  ['facts with a fraction', 'form', { text: (text) => text.replace('"payout_bp":8000', '"payout_bp":8000.0') }],
  ['facts with an exponent', 'form', { text: (text) => text.replace('"payout_bp":8000', '"payout_bp":8e3') }],
  ['facts with a minus zero', 'form', { text: (text) => text.replace('"payout_bp":8000', '"payout_bp":-0') }],
  ['facts with true for one', 'form', { text: (text) => text.replace('"rule":1', '"rule":true') }],
  ['facts with no number', 'form', { text: (text) => text.replace('"payout_bp":8000', '"payout_bp":NaN') }],
  ['facts with an extra field', 'form', { text: (text) => text.replace('"rule":1', '"rule":1,"user":"me"') }],
  ['facts with a field twice', 'form', { text: (text) => text.replace('"rule":1', '"rule":1,"rule":1') }],
  [
    'facts in another order',
    'form',
    { text: (text) => text.replace('{"v":1,"kind":"result"', '{"kind":"result","v":1') },
  ],
  ['facts with an unknown direction', 'form', { text: (text) => text.replace('"buy"', '"up"') }],
  ['facts with a price of zero', 'form', { facts: (facts) => ({ ...facts, entry: { ...facts.entry, price: 0 } }) }],
  ['facts with a hash in capitals', 'form', { facts: (facts) => ({ ...facts, owner: facts.owner.toUpperCase() }) }],
  ['facts with a character that is not printed', 'form', { facts: (facts) => ({ ...facts, trx: 'AB\u0001CD' }) }],
  ['facts with an escaped letter', 'form', { text: (text) => text.replace('"trx":"A', '"trx":"\\u0041') }],
  ['facts with deep nesting', 'form', { text: () => `{"kind":"result","v":${'['.repeat(100_000)}` }],
]

let files = 0
function fileOf(text: string): string {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, text)
  return file
}

describe('a forged receipt', () => {
  it('P11: matches in every checker when no field is forged', async () => {
    const text = forge({})
    expect(await checkReceiptFile([fileOf(text)])).toMatchObject({ exitCode: MATCHES })
    expect((await checkByPage(text, null))?.check.faults).toEqual([])
    expect(runDocumentedProgram('receipts', [{ file: text }])).toEqual([
      { exitCode: MATCHES, text: `matches ${HONEST.trx} lose` },
    ])
  })

  it.each(FORGED)(
    'P11: with %s is refused by the command and by the page without a network',
    async (_, word, forgery) => {
      const text = forge(forgery)
      const offline = await checkByPage(text, null)
      expect(offline?.check.faults).toContain(word)
      const { exitCode, lines } = await checkReceiptFile([fileOf(text)])
      expect([exitCode, lines]).toEqual([
        DIFFERS,
        expect.arrayContaining([faultText(word, offline?.check.logFault ?? null)]),
      ])
    },
  )

  it('P11: is refused by the documented program with the same fault', () => {
    const said = runDocumentedProgram(
      'receipts',
      FORGED.map(([, , forgery]) => ({ file: forge(forgery) })),
    )
    expect(said.map(({ exitCode, text }, at) => [FORGED[at]?.[0], exitCode, text])).toEqual(
      FORGED.map(([what, word]) => [what, DIFFERS, `does not match: ${word}`]),
    )
  })

  it('P11: is refused when the published keys are given, whatever keys the file contains', async () => {
    const text = forge({})
    const keys = JSON.stringify({ data: { keys: bundle.keys } })
    expect((await checkByPage(text, bundle.keys))?.check.faults).toEqual(['key_unknown'])
    expect(await checkReceiptFile([fileOf(text), '--keys', fileOf(keys)])).toMatchObject({ exitCode: DIFFERS })
    expect(runDocumentedProgram('receipts', [{ file: text, keys }])).toEqual([
      { exitCode: DIFFERS, text: 'does not match: key_unknown' },
    ])
  })

  it('P11: shows the computed id of its key for comparison, never a claimed id', async () => {
    const claimed = { ...forger.published, x: published?.x, kid: published?.kid }
    const text = forge({ keys: [claimed, forger.published] })
    const { lines } = await checkReceiptFile([fileOf(text)])
    expect(lines.join('\n')).toContain(forger.published.kid)
    expect(lines.join('\n')).not.toContain(published?.kid)
    const page = await checkByPage(text, null)
    expect([page?.areKeysOwn, page?.check.kids]).toEqual([true, [forger.published.kid]])
  })
})

const honest = () => JSON.parse(forge({})) as Record<string, Record<string, unknown>>
const withPart = (part: string, change: object): string => {
  const file = honest()
  return JSON.stringify({ ...file, [part]: { ...file[part], ...change } })
}
const withKey = (change: object): string => JSON.stringify({ ...honest(), keys: [{ ...forger.published, ...change }] })

const MALFORMED: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['a file that is cut off', forge({}).slice(0, -9)],
  ['a byte-order mark before the text', `\u{feff}${forge({})}`],
  ['a list', '[]'],
  ['a number', '12'],
  ['null', 'null'],
  ['something else', '{"format":"poem","version":1}'],
  ['a version as text', JSON.stringify({ ...honest(), version: '1' })],
  ['a version of true', JSON.stringify({ ...honest(), version: true })],
  ['a future version', JSON.stringify({ ...honest(), version: 3 })],
  ['no receipts', JSON.stringify({ ...honest(), accepted: null, result: null })],
  ['a missing receipt', JSON.stringify({ ...honest(), accepted: undefined })],
  ['a receipt alone', JSON.stringify(honest()['result'])],
  ['a receipt that is text', JSON.stringify({ ...honest(), result: 'lost' })],
  ['no evidence', JSON.stringify({ ...honest(), evidence: null })],
  ['no keys', JSON.stringify({ ...honest(), keys: null })],
  ['keys in a nested list', JSON.stringify({ ...honest(), keys: [[]] })],
  ['a key without its retirement time', withKey({ retired_ms: undefined })],
  ['a key whose beginning is text', withKey({ from_ms: '0' })],
  ['a key whose end is true', withKey({ retired_ms: true })],
  ['a key whose beginning is a fraction', withKey({ from_ms: 0.5 })],
  ['facts that are no text', withPart('result', { facts: HONEST })],
  ['facts beyond ASCII', withPart('result', { facts: '{"v":1,"kind":"result","trx":"é"}' })],
  ['no signature', withPart('result', { signature: null })],
  ['an owner of null', withPart('result', { owner: null })],
  ['an owner beyond ASCII', withPart('result', { owner: 'é' })],
  ['a malformed path', withPart('result', { path: {} })],
  ['a path to the middle', withPart('result', { path: [{ side: 'middle', hash: 'a'.repeat(64) }] })],
  ['a path in capitals', withPart('result', { path: [{ side: 'left', hash: 'A'.repeat(64) }] })],
  ['a path of a short hash', withPart('result', { path: [{ side: 'left', hash: 'aa' }] })],
  [
    'a path that is too long',
    withPart('result', { path: Array.from({ length: 31 }, () => ({ side: 'left', hash: 'a'.repeat(64) })) }),
  ],
  ['a malformed log', withPart('evidence', { exit_log: {} })],
  ['a batch that is null', withPart('evidence', { exit_log: [null] })],
  [
    'a batch with a sequence number as text',
    withPart('evidence', { exit_log: [{ ...bundle.exitLog[0], first_seq: '3' }] }),
  ],
  [
    'a batch with true as sequence number',
    withPart('evidence', { exit_log: [{ ...bundle.exitLog[0], first_seq: true }] }),
  ],
  ['a batch without its text', withPart('evidence', { exit_log: [{ ...bundle.exitLog[0], payload: 1 }] })],
  ['a file with deep nesting', '['.repeat(100_000)],
]

describe('a malformed check file', () => {
  it.each(MALFORMED)('P14: is reported as uncheckable in one line by the command and the page: %s', async (_, text) => {
    const { exitCode, lines } = await checkReceiptFile([fileOf(text)])
    expect([exitCode, lines]).toEqual([COULD_NOT_CHECK, [expect.stringMatching(/^[^\n]+$/)]])
    const content = readBundleFile(text)
    // A single receipt lacks some parts, which the page can load.
    if (typeof content !== 'string') expect(content).toMatchObject({ evidence: null, keys: null })
  })

  it('P14: is reported as uncheckable by the documented program', () => {
    const said = runDocumentedProgram(
      'receipts',
      MALFORMED.map(([, file]) => ({ file })),
    )
    expect(said.map(({ exitCode, text }, at) => [MALFORMED[at]?.[0], exitCode, text])).toEqual(
      MALFORMED.map(([what]) => [what, COULD_NOT_CHECK, expect.stringMatching(/^could not be checked: [^\n]+$/)]),
    )
  })

  it('P14: ends the documented program with one line and an exit code, never with a stack trace', () => {
    for (const names of [[], [join(folder, 'nothing.json')], [fileOf('{')]]) {
      const { exitCode, text, stderr } = startDocumentedProgram('receipts', names)
      expect([exitCode, text, stderr]).toEqual([
        COULD_NOT_CHECK,
        expect.stringMatching(/^could not be checked: [^\n]+$/),
        '',
      ])
    }
    const differs = startDocumentedProgram('receipts', [fileOf(forge({ content: { count: 5 } }))])
    expect(differs).toEqual({ exitCode: DIFFERS, text: 'does not match: root', stderr: '' })
    expect(startDocumentedProgram('receipts', [fileOf(forge({}))])).toMatchObject({ exitCode: MATCHES, stderr: '' })
  })

  it('P14: does not include a file with invalid UTF-8 in unused fields', async () => {
    const [before = '', after = ''] = forge({}).split('"line":[')
    const file = join(folder, 'bytes.json')
    writeFileSync(file, Buffer.concat([Buffer.from(`${before}"line":["`), Buffer.of(0xff), Buffer.from(`",${after}`)]))
    expect(await checkReceiptFile([file])).toMatchObject({ exitCode: MATCHES })
    expect(startDocumentedProgram('receipts', [file])).toMatchObject({ exitCode: MATCHES, stderr: '' })
  })
})
