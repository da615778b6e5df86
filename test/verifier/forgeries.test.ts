import { describe, expect, it } from 'vitest'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { runs } from '#test/support/random-plans.ts'
import { CHANGES } from './changed-files.ts'
import { type Lie, LIES, RECEIVED, TIME } from './forged-orders.ts'
import { askOwnChecker } from './own-checker.ts'
import { randomTerms } from './published-texts.ts'
import { type RandomOrder, randomOrder } from './random-order.ts'
import { askVerifier } from './run-verifier.ts'
import { placeOf, rewriteLog, withWord, wordOf } from './rewrite-log.ts'
import { type CheckFile, laterLog, signedFile } from './signed-orders.ts'

const ORDERS = 250
/** Every file can be changed, so a few orders are enough. */
const CHANGED_ORDERS = 60
/** Each kind of forgery is tried on at most this many orders. */
const TIMES = runs(6)

interface Forged {
  readonly name: string
  readonly file: CheckFile
}

const orders = Array.from({ length: ORDERS }, (_, at) => randomOrder(randomTerms(), 20 * (at % 3))).filter(
  (order) => order !== null,
)

const signed = (order: RandomOrder): CheckFile => signedFile(order, orders)
const honest = orders.slice(0, CHANGED_ORDERS).map(signed)

/** Changes the first tick of the order's symbol after the decision, so that the log contradicts the decision. */
function contradiction(change: (line: string, facts: ResultFacts) => string | null): Lie {
  return (order) => {
    const { result } = order
    let isDone = false
    const changed = rewriteLog(order, (lines) =>
      lines.map((line) => {
        const isLater = (placeOf(line) ?? 0) > result.decided_head.q && wordOf(line, 1) === String(result.symbol_id)
        const changed = isLater && !isDone && !line.startsWith('e') ? change(line, result) : null
        isDone ||= changed !== null
        return changed ?? line
      }),
    )
    return isDone ? changed : null
  }
}

const CONTRADICTIONS: readonly Lie[] = [
  contradiction((line, { opened_ms: at }) => withWord(withWord(line, TIME, at - 1_500), RECEIVED, at - 1_500)),
  contradiction((line, { evidence, void: reason, expires_ms: at }) =>
    evidence === 'ids' || reason === 'no_price_after_expiry' ? null : withWord(line, TIME, at),
  ),
  contradiction((line, { void: reason, expires_ms: at }) =>
    reason === 'no_price_after_expiry' ? withWord(line, RECEIVED, at + 45_000) : null,
  ),
  contradiction((line, { evidence, exit, next, void: reason, expires_ms: at }) =>
    evidence === 'ids' && next === null && (exit !== null || reason === 'no_trade_before_expiry')
      ? withWord(withWord(line, TIME, at), RECEIVED, at + 50)
      : null,
  ),
]

/** Calls `make` with the index of each order. Returns the first `count` results that are not null. */
function firstOf<T>(count: number, make: (at: number) => T | null): T[] {
  const found: T[] = []
  for (let at = 0; at < orders.length && found.length < count; at++) {
    const one = make(at)
    if (one !== null) found.push(one)
  }
  return found
}

function forge<T>(makers: Readonly<Record<string, T>>, make: (maker: T, at: number) => CheckFile | null): Forged[] {
  return Object.entries(makers).flatMap(([name, maker]) => {
    const files = firstOf(TIMES, (at) => make(maker, at))
    expect(files.length, name).toBeGreaterThan(0)
    return files.map((file) => ({ name, file }))
  })
}

function refusals(forged: readonly Forged[]) {
  const others = askVerifier(forged.map(({ file }) => ({ check: 'order', files: [file] })))
  return forged.flatMap(({ name, file }, at) => {
    const [own, other] = [askOwnChecker(file), others[at]]
    const isRefused = own.code === 1 && other?.code === 1 && own.faults.some((fault) => fault === other.verdict)
    return isRefused
      ? []
      : [{ name, kind: JSON.stringify([own.facts?.v, own.facts?.evidence]), own: own.faults, other }]
  })
}

describe('forged orders', () => {
  it('changed files of orders fail in both checkers for the same reason', () => {
    const forged = forge(CHANGES, (change, at) => {
      const [file, other] = [honest[at], honest[(at + 1) % honest.length]]
      return file && other ? change(file, other) : null
    })
    expect(refusals(forged)).toEqual([])
    expect(forged.length).toBeGreaterThan(200)
  })

  it('orders fail in both checkers for the same reason when the later log contradicts them', () => {
    const forged = CONTRADICTIONS.flatMap((contradict) => {
      const changed = firstOf(4 * TIMES, (at) => {
        const order = orders[at]
        return order ? contradict(order) : null
      })
      return changed.map((order) => ({ file: signed(order), later: laterLog(order) }))
    })
    const others = askVerifier(forged.map(({ file, later }) => ({ check: 'order', files: [file, file.keys, later] })))
    const own = forged.map(({ file, later }) => askOwnChecker(file, later).faults)
    expect(others.map(({ verdict }) => [verdict])).toEqual(own)
    expect(new Set(own.flat())).toEqual(new Set(['entry', 'line', 'price']))
  })

  it('orders with a lie that the operator signed fail in both checkers for the same reason', () => {
    const forged = forge(LIES, (lie, at) => {
      const order = orders[at]
      const changed = order ? lie(order) : null
      return changed && signed(changed)
    })
    expect(refusals(forged)).toEqual([])
    expect(forged.length).toBeGreaterThan(200)
  })
})
