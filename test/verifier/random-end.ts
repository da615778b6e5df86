import type { LogLine, LogTick } from '#core/markets/log-text.ts'
import type { SourceClass } from '#core/markets/source-class.ts'
import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { isWithoutHistory } from '#core/orders/order.ts'
import { decideByComputation } from '#core/orders/rules/computed-line.ts'
import { decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import { decideByLine, type HistoryAnswer } from '#core/orders/rules/rule-2.ts'
import { type LinePrice, type SourceLine, sourceLine } from '#core/orders/rules/source-line.ts'
import type { AcceptedFacts, ResultFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { instant } from '#core/time/instant.ts'
import { between, isLikely } from './chance.ts'
import type { LogWriter, Price } from './log-writer.ts'
import { BEGINS_MS, SYMBOL, type Trade } from './random-market.ts'

/** The log and the trades of a random market. */
export interface Market {
  readonly writer: LogWriter
  readonly trades: readonly Trade[]
  readonly source: string
  readonly evidence: SourceClass
  readonly version: 1 | 2
}

/** An accepted order whose end is to be decided. */
export interface Opened {
  readonly facts: AcceptedFacts
  readonly owner: string
  readonly maxTickAgeMs: number
  /** The time for which the site requests a history that does not reply. */
  readonly historyWaitMs: number
}

/** The facts that decide how an order ends. All other facts of its result follow from these. */
type End = Pick<ResultFacts, 'void' | 'exit' | 'next' | 'late' | 'watermark_ms' | 'decided_ms' | 'decided_head'>

/** A write to the log at a given time. */
export interface Step {
  readonly atMs: number
  readonly write: () => void
}

/** Writes all steps up to a time. Returns the time of the last step. */
export function writeUntil(steps: Step[], untilMs: number): { readonly nowMs: number } {
  let nowMs = BEGINS_MS
  while (steps[0] !== undefined && steps[0].atMs <= untilMs) {
    nowMs = Math.max(nowMs, steps[0].atMs)
    steps.shift()?.write()
  }
  return { nowMs }
}

export function ownTicks(lines: readonly LogLine[]): LogTick[] {
  return lines.filter((line) => line.kind === 't' && line.symbolId === SYMBOL.symbol_id) as LogTick[]
}

export function tickFacts({ version }: Market, { q, price: units, timeMs, ref }: LogTick): TickFacts {
  return { q, price: units, time_ms: timeMs, ...(version === 2 && { ref }) }
}

/** Yields the times at which the server tries to decide an expiry: after each written step, and after its deadlines. */
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

/**
 * Decides an order by the ticks that arrived in time. A computed source is decided afterwards by computing its prices
 * again.
 */
export function endByTicks(market: Market, steps: Step[], { facts, maxTickAgeMs }: Opened): End {
  const { writer } = market
  const heartbeatMs = isLikely(20) ? facts.expires_ms + between(1, 3_000) : 0
  for (const nowMs of moments(market, steps, facts.expires_ms)) {
    const all = ownTicks(writer.lines())
    const own = market.evidence === 'computed' ? all.filter(({ source }) => source === market.source) : all
    const last = own.findLast(({ timeMs }) => timeMs <= facts.expires_ms) ?? null
    const next = own.find(({ timeMs }) => timeMs > facts.expires_ms) ?? null
    const watermarkMs = Math.max(all.at(-1)?.timeMs ?? 0, heartbeatMs > nowMs ? 0 : heartbeatMs)
    const decision = decideSettlementPrice({
      expiresAt: instant(facts.expires_ms),
      last: last && toTick(last),
      next: next && toTick(next),
      // A heartbeat of another source says nothing about a computed source.
      watermark: own.at(-1) === all.at(-1) ? instant(watermarkMs) : null,
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

/**
 * Decides an order by the trade numbers of its source. Trades with missing numbers come from the source's history,
 * which sometimes does not reply.
 */
export function endByLine(market: Market, steps: Step[], { facts, maxTickAgeMs, historyWaitMs }: Opened): End {
  const { writer } = market
  const expiresAt = instant(facts.expires_ms)
  const isAway = isLikely(8)
  const readLine = lineReader(market)
  const lookUp = (history: HistoryAnswer) => decideByLine(readLine(), { expiresAt, maxTickAgeMs, history })
  for (const nowMs of moments(market, steps, facts.expires_ms)) {
    const isLate = nowMs >= facts.expires_ms + 4_000
    const isOver = nowMs >= facts.expires_ms + WATERMARK_LIMIT_MS
    let decision = lookUp({ kind: 'none' })
    if (decision.kind === 'wait' && isLate && !isAway) {
      fillHole(market, nowMs)
      decision = lookUp(quietUntil(readLine(), nowMs))
    }
    if (decision.kind === 'wait' && isOver) {
      decision = lookUp({ kind: isAway && isLikely(50) ? 'contradicts' : 'unavailable' })
    }
    if (decision.kind === 'wait') continue
    const exit = decision.kind === 'price' ? decision.exit : null
    const reason = decision.kind === 'void' ? decision.reason : null
    return {
      void: reason,
      exit: exit && lineFacts(exit),
      next: decision.next && lineFacts(decision.next),
      late: exit?.isLate === true || decision.next?.isLate === true,
      watermark_ms: Math.min(nowMs, facts.expires_ms + 1),
      decided_ms: isWithoutHistory(reason) ? facts.expires_ms + historyWaitMs : nowMs,
      decided_head: writer.head,
    }
  }
  throw new Error('an expiry is decided after a minute')
}

/** Reads the trades of the source, again only after the log has grown. */
function lineReader({ writer, source }: Market): () => SourceLine {
  let count = -1
  let line: SourceLine = { prices: [], leftOut: [] }
  return () => {
    const lines = writer.lines()
    if (lines.length !== count) line = sourceLine(lines, { symbolId: SYMBOL.symbol_id, source })
    count = lines.length
    return line
  }
}

/**
 * When there is no next trade, the history says that the newest number of the log is the newest number of the source.
 */
function quietUntil({ prices, leftOut }: SourceLine, nowMs: number): HistoryAnswer {
  const newestRef = Math.max(0, ...prices.map(({ ref }) => ref), ...leftOut.map(({ to }) => to))
  return { kind: 'quiet', newestRef, coveredUntil: instant(nowMs) }
}

/** Trades whose price is missing in the log, so that the history is queried for them. */
const LACKING: ReadonlySet<Trade['fate']> = new Set(['missing', 'lost', 'doubt'])

/** Writes the trades that are missing in the log up to now as a late batch. */
function fillHole({ writer, trades, source }: Market, nowMs: number): void {
  const lacking = trades.filter(({ price: one, fate }) => LACKING.has(fate) && one.receivedMs <= nowMs)
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
