import { describe, expect, it } from 'vitest'
import { leafOf } from '#test/witness/support/test-log.ts'
import { checkEntry, emptyFacts } from '../../tools/witness/entries.mjs'

const ORIGIN = 'trade.example/register'
const KEY = `${ORIGIN}+01020304+AQ==`
const START_MS = 1_800_000_000_000
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]

type Fields = Readonly<Record<string, unknown>>
/** An entry, with the time at which the log was last seen without this entry. */
type Step = Fields | string | { readonly entry: Fields; readonly low: number; readonly high?: number }

const text = (fields: Fields): string => JSON.stringify({ v: 1, ...fields })
const hash = (fields: Fields): string => leafOf(text(fields)).toString('hex')

const GENESIS: Fields = {
  kind: 'genesis',
  origin: ORIGIN,
  mode: 'live',
  at_ms: START_MS,
  ticks: { q: 10, hash: '00' },
  days: '00',
  owed: { number: 3, head: '00' },
  audit: { seq: 5, hash: '00' },
  keys: [],
  receipts: { root: null, batches: 0 },
}
const atMs = (minutes: number): number => START_MS + minutes * MINUTE_MS
const receipts = (minutes = 0): Fields => ({ kind: 'receipts', at_ms: atMs(minutes), root: '00', batches: 1, count: 2 })
const ticks = (q: number, minutes = 0): Fields => ({ kind: 'ticks', at_ms: atMs(minutes), q, hash: '00', batches: 1 })
const owed = (number: number): Fields => ({ kind: 'owed', at_ms: START_MS, number, head: '00' })

/** Returns an entry of trade terms that is announced a number of minutes after the start. */
function terms(
  n: number,
  what: string,
  value: string,
  minutes: readonly [number, number],
  previous: Fields | null = null,
): Fields {
  const [announced, applies] = minutes
  const link = previous === null ? '0'.repeat(64) : hash(previous)
  return {
    kind: 'terms',
    n,
    what,
    of: '60',
    value,
    announced_ms: atMs(announced),
    applies_ms: atMs(applies),
    previous: link,
  }
}

/** Reads the genesis and these entries. Returns the codes of the findings. */
function codes(steps: readonly Step[], genesis: Fields | string = GENESIS): string[] {
  const facts = emptyFacts([KEY])
  return [genesis, ...steps].flatMap((step, index) => {
    const isSeen = typeof step === 'object' && 'low' in step
    const entry = isSeen ? (step.entry as Fields) : step
    const seen = { low: isSeen ? Number(step.low) : 0, high: isSeen ? Number(step.high ?? Infinity) : Infinity }
    const bytes = Buffer.from(typeof entry === 'string' ? entry : text(entry))
    return checkEntry(facts, ORIGIN, index, bytes, seen).map(({ code }) => code)
  })
}

describe('the form of entries', () => {
  it.each([
    ['canonical JSON', [receipts()], []],
    ['other letters, escaped', ['{"v":1,"kind":"act","what":"\\u00fc"}'], []],
    ['white space', ['{"v": 1,"kind":"act"}'], ['format']],
    ['letters that are not ASCII', ['{"v":1,"kind":"act","what":"ü"}'], ['format']],
    ['a needless escape', ['{"v":1,"kind":"act","what":"\\u0041"}'], ['format']],
    ['a name twice', ['{"v":1,"v":1,"kind":"act"}'], ['format']],
    ['a number that is not exact', ['{"v":1,"kind":"act","n":9007199254740993}'], ['format']],
    ['no JSON', ['nothing'], ['format']],
    ['null', ['null'], ['format']],
    ['another version', ['{"v":2,"kind":"act"}'], ['format']],
    ['an unknown kind', ['{"v":1,"kind":"other"}'], ['format']],
    ['the name of a method as kind', ['{"v":1,"kind":"toString"}'], ['format']],
    ['more than 60,000 letters', [text({ kind: 'act', what: 'x'.repeat(60_000) })], ['format']],
    ['deep nesting', [`{"v":1,"kind":"act","of":${'['.repeat(30_000)}`], ['format']],
    ['no time where one belongs', [{ kind: 'ticks', q: 11, hash: '00', batches: 1 }], ['format']],
    ['a time that is no number', [{ ...receipts(), at_ms: '1' }], ['format']],
  ] as const)('%s', (_, steps, expected) => {
    expect(codes(steps)).toEqual(expected)
  })

  it('the witness reports once that a log is no register of this product', () => {
    expect(codes(['anything', 'else'], 'first')).toEqual(['genesis'])
  })

  it('the witness reports the first entry of another log, and a repeated first entry', () => {
    expect(codes([], { ...GENESIS, origin: 'other.example/register' })).toEqual(['genesis'])
    expect(codes([GENESIS])).toEqual(['genesis'])
  })
})

describe('the numbers of entries', () => {
  const first = terms(1, 'payout', '8000', [0, 0])
  const sources = (n: number, previous: Fields | null): Fields => ({
    kind: 'sources',
    n,
    program: '1',
    previous: previous === null ? '' : hash(previous),
  })

  it.each([
    ['days of what is owed, one after the other', [owed(4), owed(5)], []],
    ['a day left out', [owed(4), owed(6)], ['number']],
    ['a day twice', [owed(4), owed(4)], ['number']],
    ['a day before the genesis', [owed(3)], ['number']],
    ['ticks that grow', [ticks(11), ticks(900)], []],
    ['ticks that shrink', [ticks(11), ticks(10)], ['number']],
    ['ticks that stand still', [ticks(10)], ['number']],
    ['an audit log that shrinks', [{ kind: 'audit', at_ms: START_MS, seq: 4, hash: '00' }], ['number']],
    ['terms one after the other', [first, terms(2, 'payout', '8100', [0, 0], first)], []],
    ['terms that begin later', [terms(2, 'payout', '8100', [0, 0])], ['number']],
    ['terms left out', [first, terms(3, 'payout', '8100', [0, 0], first)], ['number']],
    ['terms that name another entry', [first, terms(2, 'payout', '8100', [0, 0], receipts())], ['number']],
    ['sources one after the other', [sources(1, null), sources(2, sources(1, null))], []],
    ['sources left out', [sources(1, null), sources(3, sources(1, null))], ['number']],
    ['a number that is text', [{ ...owed(4), number: '4' }], ['number']],
  ] as const)('%s', (_, steps, expected) => {
    expect(codes(steps)).toEqual(expected)
  })
})

describe('a register that began again', () => {
  const key = '9'.repeat(64)
  const link = (entry: Fields): Fields => ({ ...entry, previous: key })
  const begun = (notices: unknown = []): Fields => ({
    ...GENESIS,
    before: { origin: 'trade.example/register', note: '' },
    receipts: { root: '00', batches: 1 },
    terms: { n: 17, hash: key, notices },
    sources: { n: 3, hash: key },
  })
  const day = [{ n: 9, value: String(24 * HOUR_MS), applies_ms: START_MS - DAY_MS }]
  const payout = (n: number, hours: number): Fields => link(terms(n, 'payout', '8100', [0, hours * 60]))

  it.each([
    ['terms and sources that continue', [payout(18, 1), link({ kind: 'sources', n: 4 })], begun(), []],
    ['terms left out', [payout(19, 1)], begun(), ['number']],
    ['terms that begin from the start', [payout(1, 1)], begun(), ['number']],
    ['sources that name another entry', [{ kind: 'sources', n: 4, previous: '00' }], begun(), ['number']],
    ['too short a notice for the period in force', [payout(18, 1)], begun(day), ['notice']],
    ['a notice as long as the period in force', [payout(18, 24)], begun(day), []],
    [
      'terms that claim to be a copy',
      [{ entry: { ...payout(18, 0), before: true }, low: START_MS + DAY_MS }],
      begun(),
      ['time', 'notice', 'notice'],
    ],
    ['notice periods that are no list', [payout(18, 1)], begun('day'), []],
    ['notice periods that are nothing', [payout(18, 1)], begun([null, 1]), []],
  ] as const)('the witness reads %s', (_, steps, genesis, expected) => {
    expect(codes(steps, genesis)).toEqual(expected)
  })
})

describe('the times of entries', () => {
  const seen = (entry: Fields, low: number, high: number): Step => ({
    entry,
    low: START_MS + low,
    high: START_MS + high,
  })

  it.each([
    ['made between two visits', seen(ticks(11, 1), 30_000, 90_000), []],
    ['made 5 s after it was seen, by the clock here', seen(ticks(11, 1), 0, 55_000), []],
    ['made more than 5 s after it was seen', seen(ticks(11, 1), 0, 54_999), ['time']],
    ['made 10 s before the log was seen without it', seen(ticks(11, 1), 70_000, 80_000), []],
    ['made more than 10 s before the log was seen without it', seen(ticks(11, 1), 70_001, 80_000), ['time']],
    ['announced a minute before the end of the minute', seen(terms(1, 'payout', '8000', [0, 0]), 70_000, 80_000), []],
    ['announced long before it was published', seen(terms(1, 'payout', '8000', [0, 0]), 70_001, 80_000), ['time']],
    ['announced in the future', seen(terms(1, 'payout', '8000', [9, 9]), 0, 80_000), ['time']],
  ] as const)('an entry %s', (_, step, expected) => {
    expect(codes([step])).toEqual(expected)
  })

  it('reports entries whose time goes back by more than 5 s', () => {
    expect(codes([ticks(11, 2), { ...ticks(12), at_ms: atMs(2) - 5_000 }])).toEqual([])
    expect(codes([ticks(11, 2), { ...ticks(12), at_ms: atMs(2) - 5_001 }])).toEqual(['time'])
  })
})

describe('the notice period of trade terms', () => {
  const HOUR = HOUR_MS / MINUTE_MS
  const DAY = DAY_MS / MINUTE_MS

  it.each([
    ['payout', '8100', HOUR],
    ['min_stake', '100', HOUR],
    ['max_stake', '100000', HOUR],
    ['ceiling', '1000000', HOUR],
    ['max_tick_age', '2000', HOUR],
    ['duration', 'open', HOUR],
    ['symbol', 'open', HOUR],
    ['rule', '2', DAY],
    ['sale', 'bachelier,c,100,on', DAY],
    ['sale_pause', '1,2', HOUR],
    ['duration', 'withdrawn', 0],
    ['symbol', 'closing', 0],
    ['cap', '500000', 0],
    ['cap', 'none', 0],
    ['sale', 'off', 0],
    ['notice', String(2 * HOUR_MS), 0],
  ] as const)('of %s %s is kept and not a millisecond less', (what, value, minutes) => {
    const honest = terms(1, what, value, [0, minutes])
    expect(codes([receipts(), honest])).toEqual([])
    expect(codes([receipts(), { ...honest, applies_ms: atMs(minutes) - 1 }])).toEqual(['notice'])
  })

  it('a notice period must end within 90 days', () => {
    expect(codes([receipts(), terms(1, 'payout', '8000', [0, 90 * DAY])])).toEqual([])
    expect(codes([receipts(), terms(1, 'payout', '8000', [0, 90 * DAY + 1])])).toEqual(['notice'])
    expect(codes([receipts(), { ...terms(1, 'payout', '8000', [0, 0]), applies_ms: null }])).toContain('notice')
  })

  it('the first trade terms need no notice while there are no orders', () => {
    expect(codes([terms(1, 'payout', '8000', [0, 0])])).toEqual([])
    const after = (before: Fields) => codes([terms(1, 'payout', '8000', [0, 0])], { ...GENESIS, receipts: before })
    expect(after({ root: '00', batches: 1 })).toEqual(['notice'])
    expect(after({ root: '00', batches: 2, orders: 1 })).toEqual(['notice'])
    // These batches contain only receipts of money.
    expect(after({ root: '00', batches: 2, orders: 0 })).toEqual([])
    expect(codes([{ ...receipts(), orders: 0 }, terms(1, 'payout', '8000', [0, 0])])).toEqual([])
  })

  it('terms copied from before the register need no notice, and only the first terms of a register can be such copies', () => {
    const copied = { ...terms(1, 'payout', '8000', [-1000, -1000]), before: true }
    const own = terms(2, 'payout', '8100', [0, HOUR], copied)
    const late = { ...terms(3, 'payout', '8200', [-1000, -1000], own), before: true }
    const seen = (entry: Fields): Step => ({ entry, low: START_MS })
    expect(codes([receipts(), seen(copied), seen(own)])).toEqual([])
    expect(codes([receipts(), seen(copied), seen(own), seen(late)])).toEqual(['time', 'notice', 'notice'])
  })

  it('the longer notice period holds until a shorter one applies, even after two changes in a row', () => {
    const longer = terms(1, 'notice', String(4 * HOUR_MS), [0, 0])
    const second = terms(2, 'notice', String(2 * HOUR_MS), [1, 1 + 4 * HOUR], longer)
    const third = terms(3, 'notice', String(HOUR_MS), [2, 2 + 4 * HOUR], second)
    const payout = (announced: number, needed: number): Fields =>
      terms(4, 'payout', '8100', [announced, announced + needed], third)
    expect(codes([receipts(), longer, second, third, payout(3, 4 * HOUR)])).toEqual([])
    expect(codes([receipts(), longer, second, third, payout(3, 2 * HOUR)])).toEqual(['notice'])
    expect(codes([receipts(), longer, { ...second, applies_ms: atMs(1 + 2 * HOUR) }])).toEqual(['notice'])
    expect(codes([receipts(), longer, second, { ...third, applies_ms: atMs(2 + 2 * HOUR) }])).toEqual(['notice'])
    expect(codes([receipts(), longer, second, third, payout(3 + 4 * HOUR, HOUR)])).toEqual([])
  })

  it.each([
    ['live', HOUR_MS, []],
    ['live', HOUR_MS - 1, ['notice']],
    ['demo', MINUTE_MS, []],
    ['demo', MINUTE_MS - 1, ['notice']],
    ['live', 31 * DAY_MS, ['notice']],
  ] as const)('in mode %s may itself be %i ms: %j', (mode, value, expected) => {
    expect(codes([receipts(), terms(1, 'notice', String(value), [0, 2 * HOUR])], { ...GENESIS, mode })).toEqual(
      expected,
    )
  })

  it('the notice period of a demo is a minute', () => {
    const demo = { ...GENESIS, mode: 'demo' }
    expect(codes([receipts(), terms(1, 'payout', '8000', [0, 1])], demo)).toEqual([])
    expect(codes([receipts(), terms(1, 'rule', '2', [0, 0])], demo)).toEqual(['notice'])
  })

  it('the notice period counts from publication, so terms never apply before anyone could read them', () => {
    const entry = terms(1, 'cap', 'none', [0, 0])
    expect(codes([receipts(), { entry, low: START_MS + 10_000 }])).toEqual([])
    expect(codes([receipts(), { entry, low: START_MS + 10_001 }])).toEqual(['notice'])
  })
})

describe('the keys of a register', () => {
  const key = (event: string): Fields => ({
    kind: 'key',
    at_ms: START_MS,
    of: 'register',
    key: `${ORIGIN}+aabbccdd+AQ==`,
    event,
  })

  it('the keys of a register include the first keys and later announced keys, but no retired keys', () => {
    const facts = emptyFacts([KEY])
    const read = (entry: Fields, index: number) =>
      checkEntry(facts, ORIGIN, index, Buffer.from(text(entry)), { low: 0, high: Infinity })
    expect(read(GENESIS, 0)).toEqual([])
    expect(read(key('made'), 1)).toMatchObject([{ code: 'key', text: expect.stringContaining('aabbccdd') as string }])
    expect(facts.keys).toEqual([KEY, `${ORIGIN}+aabbccdd+AQ==`])
    expect(read(key('retired'), 2)).toEqual([])
    expect(facts.keys).toEqual([KEY])
    expect(read({ ...key('made'), of: 'receipts' }, 3)).toEqual([])
    expect(facts.keys).toEqual([KEY])
  })
})
