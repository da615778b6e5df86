import { beforeAll, describe, expect, it } from 'vitest'
import { type AmendedFacts, amendedText, creditShare } from '#core/proof/receipt-facts.ts'
import { runDocumentedProgram } from './documented-program.ts'
import { askOwnChecker } from './own-checker.ts'
import { randomTerms } from './published-texts.ts'
import { type RandomOrder, randomOrder } from './random-order.ts'
import { askVerifier } from './run-verifier.ts'
import { type CheckFile, signedFile, signTexts } from './signed-orders.ts'

/** Runs the program of the documentation on files. */
function askDocumented(files: readonly CheckFile[]): string[] {
  return runDocumentedProgram(
    'receipts',
    files.map((file) => ({ file: JSON.stringify(file) })),
  ).map(({ text }) => text)
}

const ORDERS = 200
const orders = Array.from({ length: ORDERS }, () => randomOrder(randomTerms())).filter((order) => order !== null)

/**
 * Returns the order's result, amended to a win by the record of its source. Null when the order has won, or its source
 * keeps no record.
 */
function amend({ result }: RandomOrder): AmendedFacts | null {
  const { evidence, direction, entry, expires_ms: expiresMs, payout_bp: payout } = result
  if (result.v === 1 || evidence === 'none' || result.result === 'win') return null
  const better = direction === 'buy' ? entry.price + 1 : entry.price - 1
  return {
    ...result,
    kind: 'amended',
    by: 'record',
    amended: 'win',
    record: {
      last: { price: better, time_ms: expiresMs, ref: evidence === 'ids' ? 70 : null },
      next: { price: entry.price, time_ms: expiresMs + 1, ref: evidence === 'ids' ? 71 : null },
    },
    paid: creditShare('win', payout) - creditShare(result.result, payout),
    amended_ms: result.decided_ms + 90_000_000,
  }
}

interface Amended {
  readonly order: RandomOrder
  readonly facts: AmendedFacts
}

const amended = orders.flatMap((order): Amended[] => {
  const facts = amend(order)
  return facts === null ? [] : [{ order, facts }]
})

/** At most ten amended orders whose source numbers its trades. */
const numbered = amended.filter(({ facts }) => facts.evidence === 'ids').slice(0, 10)

/** Builds the check file of an order with an amended result. The published key signs these facts. */
function fileOf({ order, facts }: Amended, kind: 'amended' | 'result' = 'amended'): CheckFile {
  const newestMs = facts.amended_ms
  const [, receipt = null] = signTexts([amendedText({ ...facts, paid: facts.paid + 7 }), amendedText(facts)], [], {
    kind,
    newestMs,
  })
  return { ...signedFile(order, orders), amended: receipt }
}

type Lie = (facts: AmendedFacts) => Partial<AmendedFacts>
const withLast = (facts: AmendedFacts, change: Partial<NonNullable<AmendedFacts['record']['last']>>) => ({
  record: { ...facts.record, last: facts.record.last && { ...facts.record.last, ...change } },
})

/**
 * Returns the facts with a record that has another price under the trade number `ref`. Null for a source without
 * numbers.
 */
function withEntry(facts: AmendedFacts, { ref = facts.entry.ref, by = 1 } = {}): AmendedFacts | null {
  const { entry, direction, record } = facts
  if (typeof ref !== 'number') return null
  const contradicted = { price: direction === 'buy' ? entry.price - by : entry.price + by, time_ms: entry.time_ms, ref }
  const last = record.last && { ...record.last, price: entry.price }
  return { ...facts, record: { entry: contradicted, last, next: record.next } }
}

/** Facts that an operator could sign, and why they are refused. */
const LIES: Readonly<Record<string, readonly [reason: string, lie: Lie]>> = {
  'one part more is paid': ['amended', ({ paid }) => ({ paid: paid + 1 })],
  'one part less is paid': ['amended', ({ paid }) => ({ paid: paid - 1 })],
  'nothing is paid': ['form', () => ({ paid: 0 })],
  'another result than the record gives': ['amended', () => ({ amended: 'draw' })],
  'a record that gives no win': ['amended', (facts) => withLast(facts, { price: facts.entry.price })],
  'a last trade after the expiry': ['amended', (facts) => withLast(facts, { time_ms: facts.expires_ms + 1 })],
  'a last trade that is too old': [
    'amended',
    (facts) => withLast(facts, { time_ms: facts.expires_ms - facts.max_tick_age_ms - 1 }),
  ],
  'no last trade': ['amended', ({ record }) => ({ record: { ...record, last: null } })],
  'a next trade before the expiry': [
    'amended',
    ({ record, expires_ms: at }) => ({ record: { ...record, next: record.next && { ...record.next, time_ms: at } } }),
  ],
  'a next trade with a smaller number': ['amended', (facts) => withLast(facts, { ref: 72 })],
  'a staff member as its author': ['form', () => ({ by: 'staff' as 'record' })],
  'another payout': ['terms', ({ payout_bp: payout, paid }) => ({ payout_bp: payout + 100, paid: paid + 100 })],
  'another result before': ['terms', ({ result }) => ({ result: result === 'lose' ? 'draw' : 'lose' })],
  'a time before the decision': ['times', ({ decided_ms: at }) => ({ amended_ms: at - 1 })],
}

function verdicts(files: readonly CheckFile[]) {
  const others = askVerifier(files.map((file) => ({ check: 'order', files: [file] })))
  return files.map((file, at) => ({ own: askOwnChecker(file), other: others[at] }))
}

describe('receipts of amended results', () => {
  it('receipts of amended results pass our own checkers and the independent verifier', () => {
    expect(amended.length).toBeGreaterThan(20)
    const found = verdicts(amended.map((one) => fileOf(one)))
    for (const { own, other } of found) expect([own.faults, other?.code]).toEqual([[], 0])
    const [first] = amended
    if (first === undefined) throw new Error('an order is amended')
    expect(askDocumented([fileOf(first)])).toEqual([expect.stringMatching(/^matches /)])
  })

  it("A232: receipts that replace a contradicted entry by the entry of the provider's history pass all checkers", () => {
    const files = numbered.flatMap(({ order, facts }) => {
      const earlier = withEntry(facts, { ref: Number(facts.entry.ref) - 1 })
      return [withEntry(facts), earlier].flatMap((one) => (one === null ? [] : [fileOf({ order, facts: one })]))
    })
    expect(files.length).toBeGreaterThan(10)
    for (const { own, other } of verdicts(files)) expect([own.faults, other?.code]).toEqual([[], 0])
    for (const text of askDocumented(files.slice(0, 4))) expect(text).toMatch(/^matches /)
  })

  it.each([
    ['the entry itself', (facts: AmendedFacts) => withEntry(facts, { by: 0 })],
    ['a later number', (facts: AmendedFacts) => withEntry(facts, { ref: Number(facts.entry.ref) + 1 })],
    ['an entry that makes it no win', (facts: AmendedFacts) => withEntry(facts, { by: -1 })],
  ])("A232: fail in all checkers when the entry of the provider's history is %s", (_, change) => {
    const forged = numbered.flatMap(({ order, facts }) => {
      const one = change(facts)
      return one === null ? [] : [fileOf({ order, facts: one })]
    })
    expect(forged.length).toBeGreaterThan(5)
    for (const text of askDocumented(forged.slice(0, 3))) expect(text).toBe('does not match: amended')
    for (const { own, other } of verdicts(forged)) {
      expect(own.faults).toEqual(['amended'])
      expect(other).toMatchObject({ code: 1, verdict: 'amended' })
    }
  })

  it("A232: receipts fail in all checkers when they name an entry of the provider's history for a source without trade numbers", () => {
    const forged = amended.flatMap(({ order, facts }) => {
      const one = facts.evidence === 'computed' ? withEntry(facts, { ref: 5 }) : null
      return one === null ? [] : [fileOf({ order, facts: one })]
    })
    expect(forged.length).toBeGreaterThan(5)
    expect(askDocumented(forged.slice(0, 1))).toEqual(['does not match: amended'])
    for (const { own, other } of verdicts(forged)) {
      expect(own.faults).toEqual(['amended'])
      expect(other).toMatchObject({ code: 1, verdict: 'amended' })
    }
  })

  describe('with facts that are not true', () => {
    const lies = Object.keys(LIES)
    let found: ReadonlyMap<string, { readonly documented: string; readonly judged: ReturnType<typeof verdicts> }>
    // Each checker gets the files of all lies at once, because each of its starts takes longer than a check.
    beforeAll(() => {
      const forged = Object.values(LIES).map(([, lie]) =>
        amended.slice(0, 10).map(({ order, facts }) => fileOf({ order, facts: { ...facts, ...lie(facts) } })),
      )
      const documented = askDocumented(forged.flatMap((files) => files.slice(0, 1)))
      const judged = verdicts(forged.flat())
      found = new Map(
        lies.map((lie, at) => [lie, { documented: documented[at] ?? '', judged: judged.slice(10 * at, 10 * at + 10) }]),
      )
    })

    it.each(Object.entries(LIES))('fail in both checkers: %s', (lie, [reason]) => {
      const { documented, judged = [] } = found.get(lie) ?? {}
      expect(documented).toBe(`does not match: ${reason}`)
      expect(judged).toHaveLength(10)
      for (const { own, other } of judged) {
        expect(own.faults).toContain(reason)
        expect(other).toMatchObject({ code: 1 })
        expect(own.faults).toContain(other?.verdict)
      }
    })
  })

  it('receipts of amended results fail in both checkers when signed as a result, without the result, or with the result of another order', () => {
    const [one, two] = amended
    if (one === undefined || two === undefined) throw new Error('two orders are amended')
    const asResult = fileOf(one, 'result')
    const alone: CheckFile = { ...fileOf(one), result: null }
    const beside: CheckFile = { ...fileOf(one), amended: fileOf(two).amended ?? null }
    const found = verdicts([asResult, alone, beside])
    expect(found.map(({ own }) => own.faults)).toEqual([['root'], ['terms'], ['terms']])
    expect(found.map(({ other }) => other?.verdict)).toEqual(['root', 'terms', 'terms'])
  })
})
