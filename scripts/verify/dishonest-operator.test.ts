import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { BundleFault } from '#core/proof/check-bundle.ts'
import { runDocumentedProgram } from '#test/verifier/documented-program.ts'
import { type SignedTale, type SignedWorld, signedWorld, type WorldTick } from '#test/support/signed-world.ts'
import { checkByPage } from './check-by-page.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { COULD_NOT_CHECK, DIFFERS, faultText, MATCHES } from './check-verdict.ts'

// The operator of a server has the server's key and can sign anything. Checks must still refuse signed facts that
// contradict the tick log or each other's times.

const folder = mkdtempSync(join(tmpdir(), 'fairwick-operator-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllGlobals())

const tick = (price: number, at: number, more: Partial<WorldTick> = {}): WorldTick => ({ price, at, ...more })
const TICKS = [
  tick(100, -500),
  tick(101, 30_000),
  tick(105, 59_800),
  tick(90, 60_100),
  tick(91, 62_000),
  tick(92, 121_000),
]
const WON: SignedTale = { ticks: TICKS, head: 0, decidedHead: 3, exit: 2, next: 3 }
const with0 = (first: WorldTick, more: Partial<SignedTale> = {}): SignedTale => ({
  ...WON,
  ticks: [first, ...TICKS.slice(1)],
  ...more,
})
const SILENT = { exit: null, next: null, isVoid: 'no_price_after_expiry', decided: 120_500 } as const
const BY_HEARTBEAT = { next: null, decidedHead: 2, decided: 60_300 } as const
const withExit = (exit: Partial<WorldTick>, more: Partial<SignedTale> = {}): SignedTale => ({
  ...WON,
  ticks: [tick(100, -500), tick(105, 59_800, exit), tick(90, 60_100, { received: 60_150 })],
  decidedHead: 2,
  exit: 1,
  next: 2,
  ...more,
})

/**
 * A won order in a tick log where a tick of another symbol lies at `head`, the last sequence number when the order was
 * accepted.
 */
const withOther = (entry: WorldTick, other: Partial<WorldTick>, head: number): SignedTale => ({
  ...WON,
  ticks: [entry, tick(7, 0, { symbolId: 2, ...other }), ...TICKS.slice(1)],
  facts: { max_tick_age_ms: 10_000 },
  head,
  entry: 0,
  decidedHead: 4,
  exit: 3,
  next: 4,
})

/** Lies that the file alone reveals. */
const LIES: readonly (readonly [what: string, word: BundleFault, tale: SignedTale])[] = [
  ['an entry from an hour before', 'entry', with0(tick(100, -3_600_000))],
  ['an entry older than the maximum age', 'entry', with0(tick(100, -5_001))],
  ['an entry from after the opening', 'entry', with0(tick(100, 29_000))],
  ['an entry further ahead than the clock limit', 'entry', with0(tick(100, 5_001))],
  [
    'an entry from after the expiry',
    'entry',
    { ...WON, ticks: [tick(105, 59_800), tick(100, 60_100)], head: 1, decidedHead: 1, exit: 0, next: 1 },
  ],
  ['an entry that was received long after its time', 'entry', with0(tick(100, -500, { received: 4_501 }))],
  [
    'a price older than an earlier one, after the expiry',
    'log',
    {
      ...WON,
      ticks: [tick(100, -500), tick(99, 59_800), tick(90, 60_100), tick(120, 59_900, { received: 60_200 })],
      exit: 3,
      next: 2,
    },
  ],
  [
    'a price older than an earlier one, before the expiry',
    'log',
    { ...WON, ticks: [tick(100, -500), tick(99, 59_900), tick(120, 59_800), tick(90, 60_100)] },
  ],
  [
    'a price older than one in the earlier piece of the log',
    'log',
    {
      ...WON,
      ticks: [tick(100, -500), tick(101, -400), tick(120, -600), tick(90, 60_100)],
      facts: { max_tick_age_ms: 600_000 },
      exitFrom: 2,
      head: 1,
    },
  ],
  [
    'a price of another symbol that is older than an earlier one',
    'log',
    {
      ...WON,
      ticks: [
        tick(100, -500),
        tick(7, 58_000, { symbolId: 2 }),
        tick(105, 59_800),
        tick(8, 57_999, { symbolId: 2 }),
        tick(90, 60_100),
      ],
      exit: 2,
      next: 4,
      decidedHead: 4,
    },
  ],
  [
    'an exit that was received ten minutes after its time',
    'log',
    withExit({ received: 660_000 }, { decided: 661_000 }),
  ],
  ['an exit received slightly over a minute late', 'log', withExit({ received: 119_801 }, { decided: 661_000 })],
  ['an exit that was received an hour before its time', 'log', withExit({ received: -3_540_000 })],
  ['an exit that was received after the decision', 'times', withExit({ received: 60_201 })],
  [
    'a next price that was received after the decision',
    'times',
    { ...WON, ticks: [...TICKS.slice(0, 3), tick(90, 60_100, { received: 60_201 })] },
  ],
  ['a watermark from after the decision', 'times', { ...WON, ...BY_HEARTBEAT, watermark: 65_301 }],
  ['a result that was signed before it was decided', 'times', { ...WON, decided: 61_000, resultSignedMs: 60_999 }],
  ['an order that was signed before it was opened', 'times', { ...WON, acceptedSignedMs: -1 }],
  [
    'an opening more than 5 s before a price of its head',
    'clock',
    withOther(TICKS[0] as WorldTick, { received: 5_001 }, 1),
  ],
  [
    'an opening more than 5 s after a price that followed its head',
    'clock',
    withOther(tick(100, -9_000), { at: -5_100, received: -5_001 }, 0),
  ],
  ['a maximum age of zero', 'form', { ...WON, facts: { max_tick_age_ms: 0 } }],
  ['a maximum age above the limit', 'form', { ...WON, facts: { max_tick_age_ms: 600_001 } }],
  ['an exit time of zero', 'form', { ...WON, facts: { exit: { q: 3, price: 105, time_ms: 0 } } }],
  ['a source without a name', 'log', withExit({ source: '' })],
  ['a source of too many letters', 'log', withExit({ source: 'x'.repeat(81) })],
  ['a volume above the safe integers', 'log', withExit({ volume: '9007199254740992' })],
  [
    'a price of zero among the others',
    'log',
    {
      ...WON,
      ticks: [...TICKS.slice(0, 2), tick(0, 59_000, { symbolId: 2 }), ...TICKS.slice(2)],
      exit: 3,
      next: 4,
      decidedHead: 4,
    },
  ],
]

/** Extreme cases that an honest server can produce. */
const HONEST: readonly (readonly [what: string, tale: SignedTale])[] = [
  ['a normal order', WON],
  ['an entry of the maximum age', with0(tick(100, -5_000))],
  ['an entry from a source whose clock is ahead', with0(tick(100, 5_000, { received: 0 }))],
  ['an entry as late as an order may wait', with0(tick(100, -500, { received: 4_500 }))],
  [
    'an exit with the maximum delay',
    withExit(
      { received: 119_800 },
      {
        decided: 119_800,
        ticks: [tick(100, -500), tick(105, 59_800, { received: 119_800 }), tick(90, 60_100, { received: 119_800 })],
      },
    ),
  ],
  [
    'two prices of the same millisecond',
    { ...WON, ticks: [tick(100, -500), tick(105, 59_800), tick(106, 59_800), tick(90, 60_100)] },
  ],
  ['a price received at the moment of the decision', { ...WON, decided: 60_150, resultSignedMs: 60_150 }],
  [
    'receipts signed long after a crash',
    { ...WON, decided: 86_400_000, acceptedSignedMs: 90_000_000, resultSignedMs: 90_000_000 },
  ],
  ['an opening 5 s before a price of its head', withOther(TICKS[0] as WorldTick, { received: 5_000 }, 1)],
  [
    'an opening 5 s after a price that followed its head',
    withOther(tick(100, -9_000), { at: -5_100, received: -5_000 }, 0),
  ],
  [
    'a price of another symbol that waited to be confirmed',
    withOther(tick(100, -9_000), { at: -9_000, received: -8_951 }, 0),
  ],
  ['a heartbeat from a source whose clock is ahead', { ...WON, ...BY_HEARTBEAT, watermark: 65_300 }],
  [
    'late evidence of a price that another tick followed, which decides nothing',
    {
      ...WON,
      ticks: [...TICKS.slice(0, 3), tick(120, 59_900, { isLate: true, received: 500_000 }), ...TICKS.slice(3)],
      decidedHead: 4,
      next: 4,
    },
  ],
  ['the smallest maximum age', { ...withExit({ at: 59_800 }), facts: { max_tick_age_ms: 500 } }],
  ['the largest maximum age', { ...WON, facts: { max_tick_age_ms: 600_000 } }],
  ['the longest source and the largest volume', withExit({ source: 'x'.repeat(80), volume: '9007199254740991' })],
  [
    'a void by silence',
    { ...WON, ...SILENT, ticks: [TICKS[0], tick(92, 121_000)] as WorldTick[], decidedHead: 0, watermark: 0 },
  ],
]

/** Lies that only the full days of the tick log reveal, not the pieces of it in the check file. */
const LIES_TO_THE_LOG: readonly (readonly [what: string, word: BundleFault, tale: SignedTale])[] = [
  [
    'a void decided on a head before the prices passed the expiry',
    'price',
    { ...WON, ...SILENT, decidedHead: 2, watermark: 59_800 },
  ],
  ['a void decided on the head of its opening', 'price', { ...WON, ...SILENT, decidedHead: 0, watermark: 0 }],
  [
    'a void decided on a head before the last price in time',
    'price',
    {
      ...WON,
      ticks: [tick(100, -500), tick(101, 58_000), tick(105, 59_800), tick(90, 60_100)],
      exit: null,
      next: null,
      isVoid: 'no_tick_before_expiry',
      decidedHead: 0,
      decided: 60_300,
    },
  ],
  [
    'an exit decided on a head before the last price in time',
    'price',
    {
      ...WON,
      ticks: [tick(100, -500), tick(105, 58_000), tick(95, 59_800), tick(90, 60_100)],
      ...BY_HEARTBEAT,
      exit: 1,
      decidedHead: 1,
      watermark: 60_001,
    },
  ],
  [
    'a price from before the expiry that arrived after the decision',
    'price',
    {
      ...WON,
      ...BY_HEARTBEAT,
      ticks: [...TICKS.slice(0, 3), tick(90, 60_000, { received: 61_000 }), tick(91, 62_000)],
    },
  ],
  [
    'an entry older than prices received before it',
    'entry',
    {
      ...WON,
      ticks: [tick(100, -3_000), tick(150, -2_000), tick(160, -500), ...TICKS.slice(1)],
      decidedHead: 5,
      exit: 4,
      next: 5,
    },
  ],
]

/** Honest tick logs with further ticks after the sequence numbers that a receipt names. */
const HONEST_TO_THE_LOG: readonly (readonly [what: string, tale: SignedTale])[] = [
  ...HONEST.filter(([, { facts }]) => facts === undefined),
  ['a heartbeat, and prices after it', { ...WON, ...BY_HEARTBEAT }],
  [
    'a void by silence, and a price that another server received just in time',
    { ...WON, ...SILENT, ticks: [...TICKS.slice(0, 3), tick(90, 105_000, { received: 105_001 })], decidedHead: 2 },
  ],
  [
    'a newer price that was not logged yet',
    {
      ...WON,
      ticks: [tick(100, -3_000), tick(150, -1_549, { received: -1_499 }), ...TICKS.slice(1)],
      decidedHead: 4,
      exit: 3,
      next: 4,
    },
  ],
]

let files = 0
function fileOf(text: string | Buffer): string {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, text)
  return file
}

/** Writes the day of the tick log into a new folder, and returns the options of the command that name it. */
function logOf({ day }: SignedWorld): string[] {
  files += 1
  const logFolder = join(folder, `log-${files}`)
  mkdirSync(logFolder)
  writeFileSync(join(logFolder, day.name), day.text)
  return ['--log', logFolder]
}

const textOf = ({ file }: SignedWorld) => JSON.stringify(file)

async function byPage(text: string, keys: readonly object[] | null) {
  return (await checkByPage(text, keys))?.check ?? null
}

const refused = (lines: readonly unknown[]): unknown => [DIFFERS, expect.arrayContaining([...lines])]

describe('a receipt by a dishonest operator', () => {
  it.each(LIES)('P11: with %s is refused by the command and by the page', async (_, word, tale) => {
    const world = signedWorld(tale)
    const text = textOf(world)
    const page = await byPage(text, null)
    expect(page?.faults).toContain(word)
    expect((await byPage(text, world.file.keys))?.faults).toContain(word)
    const { exitCode, lines } = await checkReceiptFile([fileOf(text)])
    expect([exitCode, lines]).toEqual(refused([faultText(word, page?.logFault ?? null)]))
    expect((await checkReceiptFile([fileOf(text), ...logOf(world)])).exitCode).toBe(DIFFERS)
  })

  it('P11: is refused by the documented program with the same fault', () => {
    const said = runDocumentedProgram(
      'receipts',
      LIES.map(([, , tale]) => ({ file: textOf(signedWorld(tale)) })),
    )
    expect(said.map(({ exitCode, text }, at) => [LIES[at]?.[0], exitCode, text])).toEqual(
      LIES.map(([what, word]) => [what, DIFFERS, `does not match: ${word}`]),
    )
  })

  it.each(HONEST)('P11: with %s is accepted by the command and by the page', async (_, tale) => {
    const text = textOf(signedWorld(tale))
    expect((await byPage(text, null))?.faults).toEqual([])
    expect(await checkReceiptFile([fileOf(text)])).toMatchObject({ exitCode: MATCHES })
  })

  it('P11: that was signed only after the expiry is reported as not proving the acceptance time', async () => {
    const { lines } = await checkReceiptFile([fileOf(textOf(signedWorld({ ...WON, acceptedSignedMs: 60_001 })))])
    expect(lines.join()).toContain('proves no moment of taking')
    const inTime = await checkReceiptFile([fileOf(textOf(signedWorld({ ...WON, acceptedSignedMs: 60_000 })))])
    expect(inTime.lines.join()).not.toContain('proves no moment')
  })

  it('P11: is accepted by the documented program if an honest server can produce it', () => {
    const said = runDocumentedProgram(
      'receipts',
      HONEST.map(([, tale]) => ({ file: textOf(signedWorld(tale)) })),
    )
    expect(said.map(({ exitCode, text }, at) => [HONEST[at]?.[0], exitCode, text])).toEqual(
      HONEST.map(([what]) => [what, MATCHES, expect.stringMatching(/^matches /)]),
    )
  })

  it.each(LIES_TO_THE_LOG)(
    'P11: with %s is refused by the command that also gets the days of the tick log',
    async (_, word, tale) => {
      const world = signedWorld(tale)
      const { exitCode, lines } = await checkReceiptFile([fileOf(textOf(world)), ...logOf(world)])
      expect([exitCode, lines]).toEqual(refused([faultText(word, null)]))
    },
  )

  it.each(HONEST_TO_THE_LOG)(
    'P11: with %s is accepted by the command that also gets the days of the tick log',
    async (_, tale) => {
      const world = signedWorld(tale)
      expect(await checkReceiptFile([fileOf(textOf(world)), ...logOf(world)])).toMatchObject({ exitCode: MATCHES })
    },
  )
})

const honest = signedWorld(WON)
const withKey = (change: object) => ({ ...honest.file, keys: honest.file.keys.map((key) => ({ ...key, ...change })) })

describe('a key in a file', () => {
  const KEYS: readonly (readonly [what: string, change: object, faults: readonly BundleFault[]])[] = [
    ['with correct type and curve', { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' }, []],
    ['of another kind', { kty: 'RSA' }, ['key_unknown']],
    ['of another curve', { kty: 'OKP', crv: 'X25519' }, ['key_unknown']],
    ['without a curve', { crv: null }, ['key_unknown']],
  ]
  it.each(KEYS)('P11: %s is checked by its declared type and curve', async (_, change, faults) => {
    const text = JSON.stringify(withKey(change))
    expect((await byPage(text, null))?.faults).toEqual(faults)
    expect((await checkReceiptFile([fileOf(text)])).exitCode).toBe(faults.length > 0 ? DIFFERS : MATCHES)
    const [said] = runDocumentedProgram('receipts', [{ file: text }])
    expect(said?.text).toMatch(faults.length > 0 ? /^does not match: key_unknown$/ : /^matches /)
  })
})

describe('ambiguous JSON', () => {
  const plain = textOf(honest)
  const nested = (depth: number) => `"more":${'['.repeat(depth)}${']'.repeat(depth)}`
  const UNREADABLE: readonly (readonly [what: string, text: string])[] = [
    ['a result twice', plain.replace('{', '{"result":null,')],
    ['a result twice, the last one nothing', plain.replace(/\}$/, ',"result":null}')],
    ['facts twice', plain.replace('"facts":', '"facts":"x","facts":')],
    ['a name twice, once escaped', plain.replace('{', '{"v\\u0065rsion":1,')],
    ['a name twice in an unused object', plain.replace('{', '{"more":{"a":1,"a":2},')],
    ['a hundred nested arrays', plain.replace('{', `{${nested(100)},`)],
    ['thousands of nested arrays', plain.replace('{', `{${nested(20_000)},`)],
  ]
  it.each(UNREADABLE)('P14: is not a check file for the command and the page: %s', async (_, text) => {
    expect((await checkReceiptFile([fileOf(text)])).exitCode).toBe(COULD_NOT_CHECK)
    expect(await byPage(text, null)).toBeNull()
  })

  it('P14: is not a check file for the documented program', () => {
    const said = runDocumentedProgram(
      'receipts',
      UNREADABLE.map(([, file]) => ({ file })),
    )
    expect(said.map(({ exitCode }, at) => [UNREADABLE[at]?.[0], exitCode])).toEqual(
      UNREADABLE.map(([what]) => [what, COULD_NOT_CHECK]),
    )
  })

  it('P14: does not include the same name in two objects, or brackets in a text', async () => {
    const text = plain.replace(
      '{',
      `{"more":[{"a":"{[\\"${'['.repeat(200)}"},{"a":2}],${nested(30).replace('more', 'deep')},`,
    )
    expect(await checkReceiptFile([fileOf(text)])).toMatchObject({ exitCode: MATCHES })
    expect((await byPage(text, null))?.faults).toEqual([])
    expect(runDocumentedProgram('receipts', [{ file: text }])).toMatchObject([{ exitCode: MATCHES }])
  })
})
