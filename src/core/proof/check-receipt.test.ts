import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asciiBytes, joinBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import { checkReceipt, type Evidence } from '#core/proof/check-receipt.ts'
import { hashTree, pathOf, rootOf } from '#core/proof/hash-tree.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import {
  factsHash,
  ownerHash,
  readReceipt,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_VERSION,
  type SignedRoot,
} from '#core/proof/receipt.ts'
import { factsText, ownerText, type ReceiptFacts, type ResultFacts } from '#core/proof/receipt-facts.ts'

const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())
const START = 1_780_000_000_000
const OWN = 1
const STEP_MS = 200
const OWNER = ownerText({ order: '0195a000-0000-7000-8000-000000000001', stake: '1000', currency: 'USDT' })

/** A log of two symbols. Each step adds a batch with a few ticks. Null: a batch without ticks of the order's symbol. */
interface Run {
  readonly steps: readonly (number | null)[]
  readonly openedAt: number
  readonly length: number
  readonly direction: 'buy' | 'sell'
}

/** Evidence that always has a signature, because this test builds it. */
type Given = Evidence & { readonly signed: SignedRoot }

interface Tick {
  q: number
  symbolId: number
  price: number
  timeMs: number
  batch: number
}

function makeLog(steps: readonly (number | null)[]): { batches: LogBatch[]; ticks: Tick[] } {
  const batches: LogBatch[] = []
  const ticks: Tick[] = []
  let q = 0
  let price = 50_000
  let previous = '0'.repeat(64)
  for (const [at, step] of steps.entries()) {
    const first = q + 1
    let payload = ''
    const add = (symbolId: number, units: number, timeMs: number): void => {
      q += 1
      ticks.push({ q, symbolId, price: units, timeMs, batch: at })
      payload += `${q} ${symbolId} ${units} 0 ${timeMs} ${START + at * STEP_MS + 90} test\n`
    }
    add(2, 777, START + at * STEP_MS + 10)
    if (step !== null) {
      price += step
      add(OWN, price, START + at * STEP_MS + 50)
    }
    const hash = toHex(sha256(joinBytes(Uint8Array.from(Buffer.from(previous, 'hex')), asciiBytes(payload))))
    batches.push({ first_seq: first, last_seq: q, previous_hash: previous, hash, payload })
    previous = hash
  }
  return { batches, ticks }
}

/** 500 ms: the smallest maximum age of a price that a symbol can have. */
const MAX_AGE_MS = 500

/** Accepts and settles one order directly, and builds its receipt among the receipts of two other orders. */
function settle({ steps, openedAt, length, direction }: Run): { receipt: Receipt; evidence: Given } | null {
  const { batches, ticks } = makeLog(steps)
  const openBatch = batches[openedAt]
  const decidedAt = openedAt + length + 1
  const decidedBatch = batches[decidedAt]
  if (openBatch === undefined || decidedBatch === undefined) return null
  const own = ticks.filter(({ symbolId }) => symbolId === OWN)
  const entry = own.findLast(({ batch }) => batch <= openedAt)
  if (entry === undefined || entry.timeMs < START + openedAt * STEP_MS + 95 - MAX_AGE_MS) return null
  const opened_ms = START + openedAt * STEP_MS + 95
  const expires_ms = opened_ms + length * STEP_MS
  const seen = own.filter(({ batch }) => batch <= decidedAt)
  const last = seen.findLast(({ timeMs }) => timeMs <= expires_ms)
  const next = seen.find(({ timeMs }) => timeMs > expires_ms) ?? null
  const isVoid = last === undefined || last.timeMs < expires_ms - MAX_AGE_MS
  const isUp = !isVoid && last.price > entry.price
  const result = isVoid || last.price === entry.price ? 'draw' : isUp === (direction === 'buy') ? 'win' : 'lose'
  const tick = ({ q, price, timeMs }: Tick) => ({ q, price, time_ms: timeMs })
  const facts: ResultFacts = {
    v: 1,
    kind: 'result',
    trx: 'ABCD1234',
    symbol: 'BTC',
    symbol_id: OWN,
    market: 'crypto',
    decimals: 2,
    direction,
    payout_bp: 8_000,
    rule: 1,
    opened_ms,
    expires_ms,
    entry: tick(entry),
    head: { q: openBatch.last_seq, hash: openBatch.hash },
    owner: ownerHash(sha256, OWNER),
    result,
    void: isVoid ? 'no_tick_before_expiry' : null,
    max_tick_age_ms: MAX_AGE_MS,
    exit: isVoid ? null : tick(last),
    next: next === null ? null : tick(next),
    watermark_ms: START + decidedAt * STEP_MS + 90,
    decided_ms: START + decidedAt * STEP_MS + 99,
    decided_head: { q: decidedBatch.last_seq, hash: decidedBatch.hash },
  }
  const exitFrom = isVoid ? 0 : last.batch
  return sign(facts, {
    entryLog: batches.slice(entry.batch, openedAt + 1),
    exitLog: batches.slice(exitFrom, decidedAt + 1),
  })
}

function sign(facts: ReceiptFacts, logs: Pick<Evidence, 'entryLog' | 'exitLog'>) {
  const text = factsText(facts)
  const leaves = ['a', text, 'b'].map((one) => factsHash(sha256, one))
  const tree = hashTree(sha256, leaves)
  const receipt: Receipt = {
    format: RECEIPT_FORMAT,
    version: RECEIPT_VERSION,
    facts: text,
    path: pathOf(tree, 1).map(({ side, hash }) => ({ side, hash: toHex(hash) })),
    signature: 'verified by the caller',
    owner: OWNER,
  }
  const signed = { v: 1, kind: facts.kind, root: toHex(rootOf(tree)), count: 3, made_ms: START + 10_000 } as const
  return { receipt, evidence: { signed, ...logs } }
}

const runs = fc.record<Run>({
  steps: fc.array(fc.option(fc.integer({ min: -3, max: 3 }), { freq: 2 }), { minLength: 12, maxLength: 40 }),
  openedAt: fc.nat(20),
  length: fc.integer({ min: 1, max: 15 }),
  direction: fc.constantFrom('buy', 'sell'),
})

/** Yields copies of a value, each with one nested value changed or left out. */
function* mutations(value: unknown): Generator {
  if (typeof value === 'number') yield value + 1
  else if (typeof value === 'string') yield value === '' ? 'x' : (value.startsWith('a') ? 'b' : 'a') + value.slice(1)
  else if (value === null) yield 1
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const changed of mutations(item)) yield value.with(at, changed)
    if (value.length > 0) yield value.slice(1)
  } else if (typeof value === 'object') {
    for (const [key, item] of Object.entries(value))
      for (const changed of mutations(item)) yield { ...value, [key]: changed }
  }
}

describe('a receipt', () => {
  test('a receipt passes for any prices and order, and has the result that the prices give', () => {
    const results = new Set<string>()
    fc.assert(
      fc.property(runs, (run) => {
        const settlement = settle(run)
        fc.pre(settlement !== null)
        const { faults, facts, recomputed } = checkReceipt(sha256, settlement.receipt, settlement.evidence)
        expect(faults).toEqual([])
        expect(facts?.kind === 'result' && facts.result).toBe(recomputed)
        results.add(`${recomputed} ${facts?.kind === 'result' ? facts.void : ''}`)
      }),
      { numRuns: 300 },
    )
    expect(results.size).toBeGreaterThan(3)
  })

  test('a receipt fails if any single fact is changed, even if the changed receipt is signed again', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const settlement = settle(run)
        fc.pre(settlement !== null)
        const facts = JSON.parse(settlement.receipt.facts) as ResultFacts
        for (const changed of mutations(facts)) {
          const text = JSON.stringify(changed)
          expect(checkReceipt(sha256, { ...settlement.receipt, facts: text }, settlement.evidence).faults).not.toEqual(
            [],
          )
          const { evidence } = settlement
          const resigned = sign(changed as ResultFacts, evidence)
          const { faults } = checkReceipt(sha256, { ...resigned.receipt, facts: text }, resigned.evidence)
          // Only the signature protects names, durations and terms that no tick can contradict.
          if (touchesPrices(facts, changed as ResultFacts)) expect(faults).not.toEqual([])
        }
      }),
      { numRuns: 40 },
    )
  })

  test('a receipt fails after any change of the log, path, root or owner', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const settlement = settle(run)
        fc.pre(settlement !== null)
        const { receipt, evidence } = settlement
        for (const part of ['entryLog', 'exitLog'] as const) {
          for (const log of mutations(evidence[part]) as Generator<LogBatch[]>) {
            // A log without its first batch hides nothing if the next batch also has the tick, so it is still long
            // enough.
            if (log.length < evidence[part].length) continue
            expect(checkReceipt(sha256, receipt, { ...evidence, [part]: log }).faults).not.toEqual([])
          }
          const [first, second, ...rest] = evidence[part]
          if (first === undefined || second === undefined) continue
          const swapped = { ...evidence, [part]: [second, first, ...rest] }
          expect(checkReceipt(sha256, receipt, swapped).faults).not.toEqual([])
          const cut = { ...evidence, [part]: evidence[part].slice(0, -1) }
          expect(checkReceipt(sha256, receipt, cut).faults).not.toEqual([])
        }
        for (const path of mutations(receipt.path) as Generator<Receipt['path']>)
          expect(checkAnyway({ ...receipt, path }, evidence)).not.toEqual([])
        for (const changed of [{ root: '0'.repeat(64) }, { count: 2 }, { count: 5 }, { kind: 'accepted' as const }]) {
          const other = { ...evidence, signed: { ...evidence.signed, ...changed } }
          expect(checkReceipt(sha256, receipt, other).faults).toEqual(['root'])
        }
        const stake = { ...receipt, owner: OWNER.replace('1000', '9000') }
        expect(checkReceipt(sha256, stake, evidence).faults).toEqual(['owner'])
      }),
      { numRuns: 40 },
    )
  })
})

/** Parses the receipt as if it came from a file, then checks it. Returns the names of the faults. */
function checkAnyway(receipt: Receipt, evidence: Evidence): readonly string[] {
  const read = readReceipt(receipt)
  return read === null ? ['form'] : checkReceipt(sha256, read, evidence).faults
}

function touchesPrices(facts: ResultFacts, changed: ResultFacts): boolean {
  const about = ({ entry, head, exit, next, decided_head, result }: ResultFacts) =>
    JSON.stringify([entry, head, exit, next, decided_head, result])
  // A receipt may omit `next`, but never name another tick. A changed direction changes the result unless it is a draw.
  return about(facts) !== about(changed) || (facts.direction !== changed.direction && facts.result !== 'draw')
}
