import type { LogLine, LogTick } from '#core/markets/log-text.ts'
import type { SourceClass } from '#core/markets/source-class.ts'
import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { decideByComputation } from '#core/orders/rules/computed-line.ts'
import { decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import { decideByLine, type HistoryAnswer } from '#core/orders/rules/rule-2.ts'
import { type LinePrice, sourceLine } from '#core/orders/rules/source-line.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { ownerHash } from '#core/proof/receipt.ts'
import { type AcceptedFacts, ownerText, type ResultFacts, type TickFacts } from '#core/proof/receipt-facts.ts'
import { instant } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { below, between, isLikely, oneOf } from './chance.ts'
import { LogWriter, type Price } from './log-writer.ts'
import { DURATIONS, entryHashOf, type RandomTerms, sourcesText } from './published-texts.ts'
import { BEGINS_MS, otherTicks, randomTrades, type Silence, SYMBOL, type Trade } from './random-market.ts'

/** 20 s: the log reaches back far enough for every maximum age. */
const OPENS_MS = 20_000
const MAX_ENTRY_LATE_MS = 5_000

/** An order as the server would have recorded it, with the log of its time. */
export interface RandomOrder {
  readonly accepted: AcceptedFacts
  readonly result: ResultFacts
  readonly owner: string
  /** From the first batch to some time after the decision. */
  readonly log: readonly LogBatch[]
  readonly terms: readonly string[]
  readonly sources: readonly string[]
}

/** The end of an order, without the parts that follow from it. */
type End = Pick<ResultFacts, 'void' | 'exit' | 'next' | 'late' | 'watermark_ms' | 'decided_ms' | 'decided_head'>

interface Market {
  readonly writer: LogWriter
  readonly trades: readonly Trade[]
  readonly source: string
  readonly evidence: SourceClass
  readonly version: 1 | 2
}

/**
 * Plays a random market, and accepts and decides one order on it. Null when no order would have been accepted. `left`: how many of a
 * hundred trades make no tick.
 */
export function randomOrder(terms: RandomTerms, left = oneOf([0, 10, 30])): RandomOrder | null {
  const version = isLikely(35) ? 1 : 2
  const evidence: SourceClass = version === 1 ? 'none' : oneOf(['ids', 'ids', 'ids', 'computed', 'none'])
  const text = version === 2 && evidence !== 'none' ? 2 : oneOf([1, 2] as const)
  const source = text === 1 ? 'feed' : oneOf(['binance', 'coinbase', 'own:feed.example.com'])
  const sources = text === 2 && (evidence !== 'none' || isLikely(50)) ? [sourcesText(source, evidence)] : []
  const seconds = oneOf(DURATIONS)
  const expectedMs = BEGINS_MS + OPENS_MS + seconds * 1_000
  const writer = new LogWriter({
    text,
    sources: sources.map(entryHashOf)[0] ?? 'c'.repeat(64),
    after: isLikely(50) ? 0 : between(1, 10_000),
  })
  const market: Market = {
    writer,
    trades: randomTrades({
      source,
      hasNumbers: evidence === 'ids' || (text === 2 && isLikely(30)),
      untilMs: expectedMs + oneOf([5_000, 70_000]),
      silences: silencesAround(expectedMs, evidence),
      left,
    }),
    source,
    evidence,
    version,
  }
  const steps = stepsOf(market)
  const opened = accept(market, steps, { seconds, terms })
  if (opened === null) return null
  const end = market.evidence === 'ids' ? endByLine(market, steps, opened) : endByTicks(market, steps, opened)
  for (const step of steps) step.write()
  writer.flush()
  const change = end.exit === null ? 0 : end.exit.price - opened.facts.entry.price
  const gain = opened.facts.direction === 'buy' ? change : -change
  const age = version === 1 ? { max_tick_age_ms: opened.maxTickAgeMs } : {}
  const result = gain === 0 ? 'draw' : gain > 0 ? 'win' : 'lose'
  return {
    accepted: opened.facts,
    result: { ...opened.facts, ...age, max_tick_age_ms: opened.maxTickAgeMs, ...end, kind: 'result', result },
    owner: opened.owner,
    log: writer.batches,
    terms: version === 2 ? terms.texts : [],
    sources: version === 2 ? sources : [],
  }
}

/** Times without trades: none, before the expiry, after it, or around it; for good or only for the log. */
function silencesAround(expiryMs: number, evidence: SourceClass): Silence[] {
  const isLost = evidence === 'ids' ? isLikely(60) : evidence === 'computed'
  const [longMs, shortMs] = [between(16_000, 20_000), between(500, 9_000)]
  return oneOf<Silence[]>([
    [],
    [{ fromMs: expiryMs - longMs, toMs: expiryMs + between(-500, 1_500), isLost }],
    [{ fromMs: expiryMs - shortMs, toMs: expiryMs + shortMs, isLost }],
    [
      {
        fromMs: expiryMs - between(0, 4_000),
        toMs: expiryMs + oneOf([30_000, 100_000]),
        isLost: isLost && evidence === 'computed',
      },
    ],
  ])
}

/** One thing that the log writes at a moment. */
interface Step {
  readonly atMs: number
  readonly write: () => void
}

/** What the log writes, in order of receipt. The caller takes steps from the beginning. */
function stepsOf({ writer, trades, source }: Market): Step[] {
  const own = trades.flatMap((trade): Step[] => {
    const { price: one, fate } = trade
    if (fate === 'missing') return []
    if (fate === 'tick') return [{ atMs: one.receivedMs, write: () => writer.tick(one) }]
    const ref = one.ref ?? 0
    const note = { kind: 'x', symbolId: one.symbolId, source, from: ref, to: ref, why: fate } as const
    return [{ atMs: one.receivedMs, write: () => writer.leaveOut(note) }]
  })
  const untilMs = trades.at(-1)?.price.receivedMs ?? 0
  const other = otherTicks(untilMs).map((tick) => ({ atMs: tick.receivedMs, write: () => writer.tick(tick) }))
  writer.use(SYMBOL.symbol_id, source)
  const steps = [...own, ...other].toSorted((a, b) => a.atMs - b.atMs)
  const size = oneOf([1, 3, 8])
  return steps.map((step, at) => ({ ...step, write: () => writeThen(step, at % size === 0 ? writer : null) }))
}

function writeThen(step: Step, writer: LogWriter | null): void {
  step.write()
  writer?.flush()
}

interface Opened {
  readonly facts: AcceptedFacts
  readonly owner: string
  readonly maxTickAgeMs: number
}

/** Accepts an order on the newest tick. */
function accept(
  market: Market,
  steps: Step[],
  { seconds, terms: { texts, history } }: { readonly seconds: number; readonly terms: RandomTerms },
): Opened | null {
  const { writer, version, evidence, source } = market
  const { nowMs: writtenMs } = writeUntil(steps, BEGINS_MS + OPENS_MS)
  writer.flush()
  const openedMs = writtenMs + below(900)
  const entry = ownTicks(writer.lines()).at(-1)
  if (entry === undefined) return null
  const at = instant(openedMs)
  const payout = history.inForce('payout', String(seconds), at)
  const age = history.inForce('max_tick_age', SYMBOL.symbol, at)
  const maxTickAgeMs = Number(age?.value)
  const isFresh = openedMs - entry.timeMs <= maxTickAgeMs && entry.receivedMs - entry.timeMs <= MAX_ENTRY_LATE_MS
  if (payout === null || !isFresh) return null
  const owner = ownerText({ order: crypto.randomUUID(), stake: String(between(1, 99_999)), currency: 'USDT' })
  const named = { n: payout.n, hash: entryHashOf(texts[payout.n - 1] ?? '') }
  const group = { terms: named, evidence, max_tick_age_ms: maxTickAgeMs, source }
  const facts: AcceptedFacts = {
    v: version,
    kind: 'accepted',
    trx: `T${between(1_000_000, 9_999_999)}`,
    ...SYMBOL,
    direction: oneOf(['buy', 'sell']),
    payout_bp: Number(payout.value),
    rule: version,
    ...(version === 2 && group),
    opened_ms: openedMs,
    expires_ms: openedMs + seconds * 1_000,
    entry: tickFacts(market, entry),
    head: writer.head,
    owner: ownerHash(sha256, owner),
  }
  return { facts, owner, maxTickAgeMs }
}

/** Writes all steps up to a moment. Returns the moment of the last one. */
function writeUntil(steps: Step[], untilMs: number): { readonly nowMs: number } {
  let nowMs = BEGINS_MS
  while (steps[0] !== undefined && steps[0].atMs <= untilMs) {
    nowMs = Math.max(nowMs, steps[0].atMs)
    steps.shift()?.write()
  }
  return { nowMs }
}

function ownTicks(lines: readonly LogLine[]): LogTick[] {
  return lines.filter((line) => line.kind === 't' && line.symbolId === SYMBOL.symbol_id) as LogTick[]
}

function tickFacts({ version }: Market, { q, price: units, timeMs, ref }: LogTick): TickFacts {
  return { q, price: units, time_ms: timeMs, ...(version === 2 && { ref }) }
}

/** Moments at which the server looks at an expiry: after each written step, and after its deadlines. */
function* moments(market: Market, steps: Step[], expiresMs: number): Generator<number> {
  writeUntil(steps, expiresMs)
  for (const afterMs of [5_000, 61_000]) {
    while (steps[0] !== undefined && steps[0].atMs <= expiresMs + afterMs) {
      const { nowMs } = writeUntil(steps, steps[0].atMs)
      market.writer.flush()
      yield Math.max(nowMs, expiresMs + 1)
    }
    market.writer.flush()
    yield expiresMs + afterMs
  }
}

/** Decides by the ticks that came in time, a computed source afterwards by what it computes again. */
function endByTicks(market: Market, steps: Step[], { facts, maxTickAgeMs }: Opened): End {
  const { writer } = market
  const heartbeatMs = isLikely(20) ? facts.expires_ms + between(1, 3_000) : 0
  for (const nowMs of moments(market, steps, facts.expires_ms)) {
    const own = ownTicks(writer.lines())
    const last = own.findLast(({ timeMs }) => timeMs <= facts.expires_ms) ?? null
    const next = own.find(({ timeMs }) => timeMs > facts.expires_ms) ?? null
    const watermarkMs = Math.max(own.at(-1)?.timeMs ?? 0, heartbeatMs > nowMs ? 0 : heartbeatMs)
    const decision = decideSettlementPrice({
      expiresAt: instant(facts.expires_ms),
      last: last && toTick(last),
      next: next && toTick(next),
      watermark: instant(watermarkMs),
      maxTickAgeMs,
      now: instant(nowMs),
    })
    if (decision.kind === 'wait') continue
    const end: End = {
      void: decision.kind === 'void' ? decision.reason : null,
      exit: decision.kind === 'price' && last !== null ? tickFacts(market, last) : null,
      next: next && tickFacts(market, next),
      ...(market.version === 2 && { late: false }),
      watermark_ms: watermarkMs,
      decided_ms: nowMs,
      decided_head: writer.head,
    }
    return end.void !== null && market.evidence === 'computed' ? computedAgain(market, facts, end) : end
  }
  throw new Error('an expiry is decided after a minute')
}

function computedAgain(market: Market, { expires_ms: expiresMs, ...facts }: AcceptedFacts, without: End): End {
  const { writer, trades, source } = market
  const nowMs = without.decided_ms + 3_000
  const missing = trades.filter(({ fate, price: one }) => fate === 'missing' && one.timeMs < expiresMs + 4_000)
  if (missing.length === 0) return without
  writer.late(
    [],
    missing.map(({ price: one }) => ({ ...one, receivedMs: nowMs })),
  )
  const { exit, next } = decideByComputation(writer.lines(), {
    symbolId: SYMBOL.symbol_id,
    source,
    expiresMs,
    maxTickAgeMs: facts.max_tick_age_ms ?? 0,
  })
  const isLate = exit?.kind === 'e' || next?.kind === 'e'
  if (exit === null || !isLate) return without
  return {
    ...without,
    void: null,
    exit: tickFacts(market, exit),
    next: next && tickFacts(market, next),
    late: true,
    decided_ms: nowMs,
    decided_head: writer.head,
  }
}

/** Decides by the numbers of the source. Missing ones come from its history, which sometimes does not answer. */
function endByLine(market: Market, steps: Step[], { facts, maxTickAgeMs }: Opened): End {
  const { writer, source } = market
  const expiresAt = instant(facts.expires_ms)
  const isAway = isLikely(8)
  const lookUp = (history: HistoryAnswer) =>
    decideByLine(sourceLine(writer.lines(), { symbolId: SYMBOL.symbol_id, source }), {
      expiresAt,
      maxTickAgeMs,
      history,
    })
  for (const nowMs of moments(market, steps, facts.expires_ms)) {
    const isLate = nowMs >= facts.expires_ms + 4_000
    const isOver = nowMs >= facts.expires_ms + WATERMARK_LIMIT_MS
    let decision = lookUp({ kind: 'none' })
    if (decision.kind === 'wait' && isLate && !isAway) {
      fillHole(market, nowMs)
      decision = lookUp(quietUntil(market, nowMs))
    }
    if (decision.kind === 'wait' && isOver) {
      decision = lookUp({ kind: isAway && isLikely(50) ? 'contradicts' : 'unavailable' })
    }
    if (decision.kind === 'wait') continue
    const exit = decision.kind === 'price' ? decision.exit : null
    return {
      void: decision.kind === 'void' ? decision.reason : null,
      exit: exit && lineFacts(exit),
      next: decision.next && lineFacts(decision.next),
      late: exit?.isLate === true || decision.next?.isLate === true,
      watermark_ms: Math.min(nowMs, facts.expires_ms + 1),
      decided_ms: nowMs,
      decided_head: writer.head,
    }
  }
  throw new Error('an expiry is decided after a minute')
}

/** Without a next trade, the history says that the newest number of the log is the newest of the source. */
function quietUntil({ writer, source }: Market, nowMs: number): HistoryAnswer {
  const { prices, leftOut } = sourceLine(writer.lines(), { symbolId: SYMBOL.symbol_id, source })
  const newestRef = Math.max(0, ...prices.map(({ ref }) => ref), ...leftOut.map(({ to }) => to))
  return { kind: 'quiet', newestRef, coveredUntil: instant(nowMs) }
}

/** Writes what the log lacks up to now as a late batch. */
function fillHole({ writer, trades, source }: Market, nowMs: number): void {
  const made = trades.filter(({ price: one, fate }) => fate !== 'absent' && one.receivedMs <= nowMs)
  const lacking = made.filter(({ fate }) => fate === 'missing' || fate === 'lost' || fate === 'doubt')
  const prices: Price[] = lacking.map(({ price: one }) => ({ ...one, receivedMs: nowMs }))
  if (prices.length === 0) return
  const refs = trades.flatMap(({ price: one, fate }) => (fate === 'absent' && one.ref !== null ? [one.ref] : []))
  const absent = refs.map((ref) => ({ from: ref, to: ref, why: 'absent' }) as const)
  writer.late(
    absent.map((range) => ({ kind: 'x', symbolId: SYMBOL.symbol_id, source, ...range })),
    prices,
  )
}

function lineFacts({ q, price: units, time, ref }: LinePrice): TickFacts {
  return { q, price: units, time_ms: time, ref }
}

function toTick(line: LogTick) {
  const { q, symbolId, price: units, volume: millionths, timeMs, receivedMs, source } = line
  return {
    seq: q,
    symbolId,
    price: price(units),
    volume: volume(millionths),
    time: instant(timeMs),
    receivedAt: instant(receivedMs),
    source,
  }
}
