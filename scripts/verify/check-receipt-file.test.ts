import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { bundleText } from '#core/proof/bundle-file.ts'
import { readReceipt } from '#core/proof/receipt.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'
import { noteDaysOnce } from '#server/proof/receipts/note-log-days.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import { runDocumentedProgram, startDocumentedProgram } from '#test/verifier/documented-program.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-verdict.ts'

const BTC = 1
const DAYS = ['2026-03-18', '2026-03-19'] as const
const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let folder: string
let logFolder: string
/** A check file as text, and the check file of another order. */
let whole: string
let other: string
let voided: string
let csv: Record<(typeof DAYS)[number], string>
let keysFile: string
let headsFile: string
let headsText: string

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

/**
 * Places a one-minute order that ends at this price, or without a price. Returns its check file as its user can
 * download it.
 */
async function orderFile(user: { id: string; token: string }, exit: number | null): Promise<string> {
  await speak(9_400_000)
  const placed = await app.engine.place(orderRequest(user.id, `order-${exit}`, { stake: money(1_000n) }))
  assert(placed.ok, 'placed')
  const { trx } = placed.value
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  if (exit !== null) await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(9_400_100)
  await app.engine.settleDue()
  await app.receipts.idle()
  const { accepted, result } = (await app.call(calls.proofReceipt, { params: { trx }, token: user.token })).body.data
  const {
    entry_log: entryLog,
    exit_log: exitLog,
    terms,
    sources,
    line,
  } = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const log = { entryLog, exitLog, terms, sources }
  return bundleText({ accepted: readReceipt(accepted), result: readReceipt(result), ...log, keys }, line)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-receipt-'))
  logFolder = join(folder, 'log')
  mkdirSync(logFolder)
  app = await createTestApp(database)
  await app.startMarkets()
  const user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  voided = await orderFile(user, null)
  whole = await orderFile(user, 9_400_050)
  other = await orderFile(user, 9_399_000)
  for (let day = 0; day < 2; day++) {
    app.ctx.clock.jump(DAY_MS)
    await speak(9_400_200 + day)
  }
  await noteDaysOnce(app.ctx)
  const read = async (day: string) => {
    const { payload } = await app.http.inject({ method: 'GET', url: `/api/ticks/${day}.csv` })
    writeFileSync(join(logFolder, `ticks-${day}.csv`), payload)
    return payload
  }
  csv = { [DAYS[0]]: await read(DAYS[0]), [DAYS[1]]: await read(DAYS[1]) }
  const keep = async (call: typeof calls.proofKeys | typeof calls.proofHeads) =>
    JSON.stringify((await app.call<typeof call>(call)).body)
  keysFile = fileOf(await keep(calls.proofKeys))
  headsText = await keep(calls.proofHeads)
  headsFile = fileOf(headsText)
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

let files = 0
function fileOf(text: string): string {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, text)
  return file
}

/**
 * Writes all days of the tick log into a new folder and returns the folder. `change` gives the new text of one day, or
 * null to leave it out.
 */
function folderWith(day: (typeof DAYS)[number], change: (text: string) => string | null): string {
  files += 1
  const copy = join(folder, `log-${files}`)
  mkdirSync(copy)
  for (const one of DAYS) {
    const text = one === day ? change(csv[one]) : csv[one]
    if (text !== null) writeFileSync(join(copy, `ticks-${one}.csv`), text)
  }
  return copy
}

/** Returns a folder with all days of the tick log, where the file of the first day has the name of an earlier date. */
function renamedDay(): string {
  const copy = folderWith(DAYS[0], () => null)
  writeFileSync(join(copy, 'ticks-2026-03-10.csv'), csv[DAYS[0]])
  return copy
}

interface Head {
  readonly day: string
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
  readonly is_kept: boolean
}

/**
 * Returns the options `--log` and `--heads` of the command. `change` changes the published heads (the last hash of each
 * day).
 */
function withHeads(change: (days: readonly Head[]) => readonly Partial<Head>[]): string[] {
  const { data } = JSON.parse(headsText) as { data: { days: readonly Head[] } }
  return ['--log', logFolder, '--heads', fileOf(JSON.stringify({ data: { days: change(data.days) } }))]
}

/** Returns the head of a later day that correctly continues the newest published head. */
function next(newest: Head | undefined): Head {
  const { last_seq = 0, hash = '' } = newest ?? {}
  return {
    day: '2026-03-30',
    first_seq: last_seq + 1,
    last_seq: 9_999_999,
    previous_hash: hash,
    hash: 'b'.repeat(64),
    is_kept: true,
  }
}

/** Replaces the value at the end of a path. Paths also lead through facts stored as text. */
function put(value: unknown, way: readonly (string | number)[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = way
  if (key === undefined) return change(value)
  if (typeof value === 'string') return JSON.stringify(put(JSON.parse(value), way, change))
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === key ? put(item, rest, change) : item))
  return { ...Object(value), [key]: put((Object(value) as Record<string, unknown>)[key], rest, change) }
}

function tampered(path: string, to: unknown, from = whole): string {
  const way = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const change = (old: unknown) => (typeof to === 'function' ? (to as (old: unknown) => unknown)(old) : to)
  return JSON.stringify(put(JSON.parse(from), way, change))
}

type Batches = readonly { readonly payload: string }[]
const otherKey = await makeSigningKey()
const zeros = '0'.repeat(64)

const TAMPERED: readonly (readonly [what: string, file: () => string, words: string, word: string])[] = [
  ...[
    ['trx', 'XXXX'],
    ['symbol', 'ETH'],
    ['symbol_id', 2],
    ['market', 'us_fx'],
    ['decimals', 3],
    ['direction', 'sell'],
    ['payout_bp', 9_999],
    ['opened_ms', 1],
    ['expires_ms', 1],
    ['entry.q', 1],
    ['entry.price', 1],
    ['entry.time_ms', 1],
    ['head.q', 1],
    ['head.hash', zeros],
    ['owner', zeros],
    ['result', 'lose'],
    ['void', 'no_tick_before_expiry'],
    ['max_tick_age_ms', 600],
    ['exit.q', 1],
    ['exit.price', 1],
    ['exit.time_ms', 1],
    ['exit', null],
    ['next.price', 1],
    ['watermark_ms', 1],
    ['decided_ms', 1],
    ['decided_head.q', 1],
    ['decided_head.hash', zeros],
  ].map(
    ([fact, to]) =>
      [`the fact ${fact}`, () => tampered(`result.facts.${fact}`, to), 'not what was signed', 'root'] as const,
  ),
  ['the version of the facts', () => tampered('result.facts.v', 3), 'not written as those', 'form'],
  ['the rule', () => tampered('result.facts.rule', 3), 'not written as those', 'form'],
  ['an extra fact', () => tampered('result.facts.more', 1), 'not written as those', 'form'],
  ['the stake', () => tampered('result.owner.stake', '9000'), "owner's part", 'owner'],
  ['a fact of the other receipt', () => tampered('accepted.facts.payout_bp', 1), 'not what was signed', 'root'],
  ['the path', () => tampered('result.path', [{ side: 'left', hash: zeros }]), 'not what was signed', 'root'],
  [
    'the signature of another order',
    () => tampered('result.signature', () => signatureOf(other)),
    'not what was signed',
    'root',
  ],
  [
    'a character of the signature',
    () => tampered('result.signature', flipLast),
    'not by the key it names',
    'signature',
  ],
  [
    'the end of the signature',
    () => tampered('result.signature', (old: unknown) => String(old).slice(0, -9)),
    'not written as ours',
    'signature_form',
  ],
  [
    'the result of another order',
    () => tampered('result', () => (JSON.parse(other) as { result: unknown }).result),
    'not of the same order',
    'terms',
  ],
  ['an unknown key', () => tampered('keys.0.kid', 'somebody'), 'never published', 'key_unknown'],
  ['another key with the same id', () => tampered('keys.0.x', otherKey.x), 'never published', 'key_unknown'],
  ['a key that was retired earlier', () => tampered('keys.0.retired_ms', 1), 'not in use at that time', 'key_retired'],
  ['a key that was introduced later', () => tampered('keys.0.from_ms', 9e15), 'not in use at that time', 'key_retired'],
  [
    'a price in the log',
    () =>
      tampered('evidence.exit_log', (old: unknown) =>
        (old as Batches).map((one) => ({ ...one, payload: one.payload.replace('9400050', '9399950') })),
      ),
    'their hash is another',
    'log',
  ],
  [
    'an extra tick in the log',
    () => tampered('evidence.entry_log.0.payload', (old: unknown) => String(old) + String(old)),
    'their hash is another',
    'log',
  ],
  [
    'a missing batch in the log',
    () => tampered('evidence.exit_log', (old: unknown) => (old as Batches).slice(0, -1)),
    'does not end where',
    'head',
  ],
  [
    'batches in another order',
    () => tampered('evidence.exit_log', (old: unknown) => (old as Batches).toReversed()),
    'does not go on',
    'log',
  ],
  [
    'a batch twice',
    () => tampered('evidence.exit_log', (old: unknown) => (old as Batches).flatMap((one) => [one, one])),
    'does not go on',
    'log',
  ],
  ['no log', () => tampered('evidence.entry_log', []), 'no piece of the log', 'log'],
  [
    'a sequence number in the log',
    () => tampered('evidence.exit_log.0.first_seq', (old: unknown) => Number(old) + 1),
    '',
    'log',
  ],
  [
    'the log of another order',
    () => tampered('evidence', () => (JSON.parse(other) as { evidence: unknown }).evidence),
    'does not end where',
    'head',
  ],
]

function signatureOf(file: string): string {
  return (JSON.parse(file) as { result: { signature: string } }).result.signature
}

/** The last character of base64url has unused bits. The character changed here has no unused bits. */
function flipLast(old: unknown): string {
  const text = String(old)
  return `${text.slice(0, -3)}${text.at(-3) === 'A' ? 'B' : 'A'}${text.slice(-2)}`
}

describe('the command', () => {
  it('accepts a won order, a void order and an open order', async () => {
    const won = await checkReceiptFile([fileOf(whole)])
    expect(won).toMatchObject({ exitCode: MATCHES })
    expect(won.lines).toContain('The receipt says: win. Recomputed here: win.')
    expect((await checkReceiptFile([fileOf(voided)])).lines).toContain('No price: no_tick_before_expiry')
    const running = await checkReceiptFile([fileOf(tampered('result', null))])
    expect([running.exitCode, running.lines.join()]).toEqual([MATCHES, expect.stringContaining('was taken')])
  })

  it('accepts receipts together with whole days of the tick log, published heads and published keys', async () => {
    for (const text of [whole, voided]) {
      const checked = await checkReceiptFile([
        fileOf(text),
        '--log',
        logFolder,
        '--keys',
        keysFile,
        '--heads',
        headsFile,
      ])
      expect(checked).toMatchObject({ exitCode: MATCHES })
    }
    const longer = ['--keys', keysFile, ...withHeads((days) => [next(days[0]), ...days])]
    expect(await checkReceiptFile([fileOf(whole), ...longer])).toMatchObject({ exitCode: MATCHES })
    const alone = fileOf(JSON.stringify((JSON.parse(whole) as { result: unknown }).result))
    expect(await checkReceiptFile([alone, '--log', logFolder, '--keys', keysFile])).toMatchObject({ exitCode: MATCHES })
  })

  it.each(TAMPERED)('finds %s', async (_, file, words) => {
    const { exitCode, lines } = await checkReceiptFile([fileOf(file())])
    expect([exitCode, lines.at(-1)]).toEqual([DIFFERS, 'THIS DOES NOT MATCH.'])
    expect(lines.join('\n')).toContain(words)
  })

  const line = (text: string, part: string) => text.split('\r\n').find((one) => one.includes(part)) ?? ''
  it.each<[string, () => string[], string]>([
    [
      'a price',
      () => ['--log', folderWith(DAYS[0], (text) => text.replace('94000.50', '93999.50'))],
      'are not those that were logged',
    ],
    [
      'a removed tick',
      () => ['--log', folderWith(DAYS[0], (text) => text.replace(`${line(text, '94000.50')}\r\n`, ''))],
      'taken out, added or moved',
    ],
    [
      'an added tick',
      () => ['--log', folderWith(DAYS[0], (text) => text.replace(line(text, '94000.50'), (one) => `${one}\r\n${one}`))],
      'taken out, added or moved',
    ],
    [
      'a head',
      () => ['--log', folderWith(DAYS[1], (text) => text.replace(/(# head,\d+,).{64}/, `$1${zeros}`))],
      'does not end with the head',
    ],
    [
      'a day of another log',
      () => ['--log', folderWith(DAYS[1], (text) => text.replace(/(# previous,\d+,).{64}/, `$1${zeros}`))],
      'one is of another log',
    ],
    [
      "another day's head",
      () => [
        '--log',
        logFolder,
        '--heads',
        fileOf(headsText.replaceAll(/"hash":"[0-9a-f]{64}"/g, `"hash":"${zeros}"`)),
      ],
      'not the one that was published',
    ],
    [
      'other published keys',
      () => ['--keys', fileOf(JSON.stringify([{ ...otherKey, from_ms: 0, retired_ms: null }]))],
      'never published',
    ],
    ['P11: a day under an earlier date', () => ['--log', renamedDay()], 'was received after that day'],
    [
      'P11: published days that share sequence numbers',
      () => withHeads((days) => [...days, { ...days[0], day: '2026-03-01' }]),
      'contradict each other at',
    ],
    [
      'P11: a published day that does not follow the one before',
      () => withHeads((days) => [{ ...next(days[0]), previous_hash: 'a'.repeat(64) }, ...days]),
      'contradict each other at 2026-03-30',
    ],
    [
      'P11: a published day that ends before it begins',
      () => withHeads((days) => [{ ...next(days[0]), last_seq: 1 }, ...days]),
      'contradict each other at 2026-03-30',
    ],
    [
      'P11: a published day from the middle that follows nothing',
      () => withHeads((days) => [{ ...next(days[0]), first_seq: 9_000_000, previous_hash: zeros }, ...days]),
      'contradict each other at 2026-03-30',
    ],
  ])('finds %s in the exported log', async (_, more, words) => {
    const { exitCode, lines } = await checkReceiptFile([fileOf(whole), ...more()])
    expect([exitCode, lines.join('\n')]).toEqual([DIFFERS, expect.stringContaining(words)])
  })

  it.each<[string, () => string[], string]>([
    ['no file', () => [], 'Usage'],
    ['two files', () => ['a', 'b'], 'Usage'],
    ['a missing file', () => [join(folder, 'nothing.json')], 'ENOENT'],
    ['an unknown option', () => [fileOf(whole), '--force'], '--force'],
    ['a file that is cut off', () => [fileOf(whole.slice(0, -10))], 'cut off'],
    ['a file of something else', () => [fileOf('{"format":"poem"}')], 'neither a receipt nor'],
    ['a future version', () => [fileOf(tampered('version', 3))], 'neither a receipt nor'],
    [
      'a receipt by itself',
      () => [fileOf(tampered('format', 'fairwick-receipt')), '--log', logFolder],
      'neither a receipt nor',
    ],
    [
      'P14: published heads without the days they are compared with',
      () => [fileOf(whole), '--heads', headsFile],
      'Usage',
    ],
    ['P14: two folders', () => [fileOf(whole), '--log', folder, '--log', logFolder], '--log is given twice'],
    ['P14: a keys option given twice', () => [fileOf(whole), '--keys', keysFile, '--keys', keysFile], 'given twice'],
    ['a folder without days', () => [fileOf(whole), '--log', folder], 'There is no ticks'],
    ['a missing day', () => [fileOf(whole), '--log', folderWith(DAYS[0], () => null)], 'are not all in'],
    [
      'a day that is cut off',
      () => [fileOf(whole), '--log', folderWith(DAYS[0], (text) => text.slice(0, -90))],
      'is cut off',
    ],
    ['malformed heads', () => [fileOf(whole), '--log', logFolder, '--heads', fileOf('[]')], 'does not hold the heads'],
    [
      'heads without the day',
      () => [fileOf(whole), '--log', logFolder, '--heads', fileOf('{"data":{"days":[]}}')],
      'no published head',
    ],
    ['malformed keys', () => [fileOf(whole), '--keys', fileOf('{}')], 'does not hold the keys'],
  ])('reports that it could not check %s', async (_, args, words) => {
    const { exitCode, lines } = await checkReceiptFile(args())
    expect([exitCode, lines.join('\n')]).toEqual([COULD_NOT_CHECK, expect.stringContaining(words)])
  })

  it('exits with the code of the result', () => {
    const script = fileURLToPath(new URL('../check-receipt.ts', import.meta.url))
    const run = (text: string) =>
      spawnSync(process.execPath, ['--import', 'tsx', script, fileOf(text)], { encoding: 'utf8' })
    expect(run(whole)).toMatchObject({ status: MATCHES, stderr: '' })
    expect(run(whole.slice(0, -10)).status).toBe(COULD_NOT_CHECK)
  })
})

describe('the documented steps from the replies of the calls', () => {
  it('P14: the check file of the site is accepted by the command and by the program', async () => {
    const answer = (part: unknown) => fileOf(JSON.stringify({ data: part }))
    const { accepted, result, evidence, keys } = JSON.parse(whole) as Record<string, unknown>
    const answers = [answer({ trx: 'A', accepted, result }), answer(evidence), answer({ keys })]
    const documentation = readFileSync(new URL('../../docs/reference/receipts.md', import.meta.url), 'utf8')
    const [, program = ''] = /python3 -c '([^']+)' receipts\.json evidence\.json keys\.json/.exec(documentation) ?? []
    const { status, stdout } = spawnSync('python3', ['-c', program, ...answers], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(await checkReceiptFile([fileOf(stdout)])).toMatchObject({ exitCode: MATCHES })
    expect(runDocumentedProgram('receipts', [{ file: stdout }])).toMatchObject([{ exitCode: MATCHES }])
  })
})

describe('the program in the documentation', () => {
  it('accepts the genuine files that the command accepts', () => {
    const printed = startDocumentedProgram('receipts', [fileOf(whole), keysFile])
    expect(printed).toMatchObject({ exitCode: MATCHES, stderr: '' })
    expect(printed.text).toMatch(/^matches [\w-]+ win$/)
    const keys = readFileSync(keysFile, 'utf8')
    const files = [whole, voided, other, tampered('result', null)].map((file) => ({ file, keys }))
    const words = runDocumentedProgram('receipts', files).map(({ exitCode, text }) => [
      exitCode,
      text.split(' ').at(-1),
    ])
    expect(words).toEqual(['win', 'draw', 'lose', 'accepted'].map((word) => [MATCHES, word]))
  })

  it('reports each tampered file as not matching, and names the difference', () => {
    const said = runDocumentedProgram(
      'receipts',
      TAMPERED.map(([, file]) => ({ file: file() })),
    )
    const expected = TAMPERED.map(([what, , , word]) => [what, DIFFERS, `does not match: ${word}`])
    expect(said.map(({ exitCode, text }, at) => [TAMPERED[at]?.[0], exitCode, text])).toEqual(expected)
  })

  it('exits with the code for "could not be checked" when it gets a damaged or incomplete file', () => {
    const files = [whole.slice(0, -10), '{"format":"poem","version":1,"keys":[]}', '[]', tampered('result', 'lost')]
    const said = runDocumentedProgram(
      'receipts',
      files.map((file) => ({ file })),
    )
    expect(said.map(({ exitCode }) => exitCode)).toEqual(files.map(() => COULD_NOT_CHECK))
  })
})
