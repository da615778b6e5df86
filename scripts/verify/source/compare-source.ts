import type { LeftOutReason, LogLine } from '#core/markets/log-text.ts'
import { isFartherThan, type PriceDistance } from '#core/markets/sources/price-distance.ts'
import type { Price } from '#core/money/price.ts'
import { readQuotePrice } from '#core/markets/sources/read-quote.ts'
import type { RecordedTrade, RefRange } from './provider-record.ts'

/** The prices and left-out trades of one source of one symbol, by the provider's numbers. */
export interface SourceLog {
  readonly prices: ReadonlyMap<number, { readonly price: number; readonly timeMs: number }>
  readonly leftOut: readonly { readonly from: number; readonly to: number; readonly why: LeftOutReason }[]
  /** The ranges of the provider's numbers in which the source was used. */
  readonly ranges: readonly RefRange[]
}

export interface Comparison {
  compared: number
  equal: number
  readonly otherPrice: number[]
  readonly otherTime: number[]
  /** Trades that the tick log neither has as a price nor names as left out. */
  readonly missing: number[]
  /** Trades that were left out for a reason that the record refutes. */
  readonly wrongReason: number[]
  /** Trades that were left out, by reason. */
  readonly accounted: Partial<Record<LeftOutReason, number>>
  /** Prices that the provider's record does not have. */
  readonly neverTraded: number[]
}

/** Collects the lines of a symbol by source. Sources whose trades have no numbers are left out. */
export function collectSources(lines: Iterable<LogLine>): ReadonlyMap<string, SourceLog> {
  const all = new Map<string, SourceLogBuilder>()
  let used: string | null = null
  for (const line of lines) {
    const known = all.get(line.source) ?? new SourceLogBuilder()
    all.set(line.source, known)
    if (line.kind === 'u' || line.source !== used) known.endRange()
    used = line.source
    if (line.kind === 'x') known.leftOut.push(line)
    if ((line.kind === 't' || line.kind === 'e') && line.ref !== null) known.add(line, line.ref)
  }
  return new Map([...all].filter(([, { prices }]) => prices.size > 0))
}

class SourceLogBuilder implements SourceLog {
  readonly prices = new Map<number, { price: number; timeMs: number }>()
  readonly leftOut: { from: number; to: number; why: LeftOutReason }[] = []
  readonly ranges: { from: number; to: number; fromMs: number }[] = []
  #isOpen = false

  endRange(): void {
    this.#isOpen = false
  }

  add({ kind, price, timeMs }: { kind: 't' | 'e'; price: number; timeMs: number }, ref: number): void {
    this.prices.set(ref, { price, timeMs })
    // Late evidence fills a hole in the tick log. The hole may lie outside the open range, so the trade gets a range of
    // its own.
    if (kind === 'e') return void this.ranges.unshift({ from: ref, to: ref, fromMs: timeMs })
    const last = this.ranges.at(-1)
    if (this.#isOpen && last !== undefined && ref > last.to) last.to = ref
    else this.ranges.push({ from: ref, to: ref, fromMs: timeMs })
    this.#isOpen = true
  }
}

/** How a symbol's trades are read and judged. */
export interface JudgedBy {
  readonly decimals: number
  /** The smallest limit in force: a price that is nearer to the one before it was no spike. */
  readonly spike: PriceDistance
}

/** Compares the prices of a source in the tick log with the provider's own record. */
export function compareSource(
  log: SourceLog,
  record: ReadonlyMap<number, RecordedTrade>,
  judgedBy: JudgedBy,
): Comparison {
  const found: Comparison = {
    compared: 0,
    equal: 0,
    otherPrice: [],
    otherTime: [],
    missing: [],
    wrongReason: [],
    accounted: {},
    neverTraded: [],
  }
  let newestMs = Number.NEGATIVE_INFINITY
  let before: Price | null = null
  let lastRange: RefRange | undefined
  for (const [ref, trade] of [...record].toSorted(([one], [two]) => one - two)) {
    const range = log.ranges.find(({ from, to }) => ref >= from && ref <= to)
    if (range !== undefined) {
      // Between two ranges the server used another source. The tick log has no prices of this source from that time.
      if (range !== lastRange) before = null
      const fate = compareTrade(found, log, { trade, newestMs, before, judgedBy })
      if (fate === 'price') before = readQuotePrice(trade.price, judgedBy.decimals)
      // Trades with these outcomes are no prices, but the server may have compared later trades with them. So the price
      // to compare the next trade with is unknown.
      else if (fate === 'doubt' || fate === 'lost' || fate === 'session') before = null
      lastRange = range
    }
    newestMs = Math.max(newestMs, trade.timeMs)
  }
  for (const ref of log.prices.keys()) if (!record.has(ref)) found.neverTraded.push(ref)
  return found
}

/**
 * A trade of the record, with the newest time of the trades before it, and the last price of the tick log before it.
 * `before` is null when this price is unknown.
 */
interface TradeInOrder {
  readonly trade: RecordedTrade
  readonly newestMs: number
  readonly before: Price | null
  readonly judgedBy: JudgedBy
}

/**
 * Adds a trade to the comparison. Returns how the tick log accounts for it: 'price', or the reason why it is none. Null
 * if the tick log lacks the trade.
 */
function compareTrade(
  found: Comparison,
  { prices, leftOut }: SourceLog,
  { trade, newestMs, before, judgedBy: { decimals, spike } }: TradeInOrder,
): 'price' | LeftOutReason | null {
  const { ref, price, timeMs } = trade
  const logged = prices.get(ref)
  const units = readQuotePrice(price, decimals)
  found.compared += 1
  if (logged !== undefined) {
    if (logged.price !== units) found.otherPrice.push(ref)
    else if (logged.timeMs !== timeMs) found.otherTime.push(ref)
    else found.equal += 1
    return 'price'
  }
  const why = leftOut.find(({ from, to }) => ref >= from && ref <= to)?.why
  if (why === undefined) {
    found.missing.push(ref)
    return null
  }
  found.accounted[why] = (found.accounted[why] ?? 0) + 1
  const isRefuted =
    (why === 'number' && units !== null) ||
    (why === 'back' && timeMs >= newestMs) ||
    (why === 'spike' && before !== null && units !== null && !isFartherThan(units, before, spike)) ||
    why === 'absent'
  if (isRefuted) found.wrongReason.push(ref)
  return why
}

/** Whether the tick log contradicts the provider's record. */
export function differs({ otherPrice, otherTime, missing, wrongReason, neverTraded }: Comparison): boolean {
  return [otherPrice, otherTime, missing, wrongReason, neverTraded].some((refs) => refs.length > 0)
}
