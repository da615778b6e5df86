import type { LeftOutReason, LogLine } from '#core/markets/log-text.ts'
import type { Instant } from '#core/time/instant.ts'
import { instant } from '#core/time/instant.ts'
import { type Price, price } from '#core/money/price.ts'

/** A trade of a source that is a price, with the provider's number and its sequence number in the log. */
export interface LinePrice {
  readonly ref: number
  readonly price: Price
  readonly time: Instant
  readonly receivedAt: Instant
  readonly q: number
  /** Whether the log contains the price as late evidence. */
  readonly isLate: boolean
}

/** Trades of a source that are not prices, by their provider's numbers, both inclusive. */
export interface LeftOutRange {
  readonly from: number
  readonly to: number
  readonly why: LeftOutReason
}

/** The trades of one source and symbol in a part of the log: prices, and trades left out for a final reason. */
export interface SourceLine {
  /** The prices by number, ascending. Their times never run backwards. */
  readonly prices: readonly LinePrice[]
  /** Trades left out for a final reason. Later evidence does not make them prices. */
  readonly leftOut: readonly LeftOutRange[]
}

/**
 * Collects the trades of one source and symbol from lines of the log. A trade whose time is before that of a trade with
 * a smaller number is not a price. This is so even if the log has it as a price, because the log may have received the
 * smaller number later.
 */
export function sourceLine(
  lines: Iterable<LogLine>,
  { symbolId, source }: { readonly symbolId: number; readonly source: string },
): SourceLine {
  const byRef = new Map<number, LinePrice>()
  const leftOut: LeftOutRange[] = []
  for (const line of lines) {
    if (line.kind === 'u' || line.symbolId !== symbolId || line.source !== source) continue
    if (line.kind === 'x') {
      if (isFinal(line.why)) leftOut.push({ from: line.from, to: line.to, why: line.why })
      continue
    }
    const { ref } = line
    if (ref === null || byRef.has(ref)) continue
    const { q, price: units, timeMs, receivedMs, kind } = line
    const [time, receivedAt] = [instant(timeMs), instant(receivedMs)]
    byRef.set(ref, { ref, price: price(units), time, receivedAt, q, isLate: kind === 'e' })
  }
  return ordered([...byRef.values()], leftOut)
}

function ordered(trades: LinePrice[], leftOut: LeftOutRange[]): SourceLine {
  const prices: LinePrice[] = []
  for (const trade of trades.toSorted((a, b) => a.ref - b.ref)) {
    const before = prices.at(-1)
    if (before !== undefined && trade.time < before.time) leftOut.push({ from: trade.ref, to: trade.ref, why: 'back' })
    else prices.push(trade)
  }
  return { prices, leftOut: leftOut.toSorted((a, b) => a.from - b.from) }
}

/** `doubt` and `lost` are holes: the provider's history decides about these trades. */
function isFinal(why: LeftOutReason): boolean {
  return why !== 'doubt' && why !== 'lost'
}

/**
 * The first number between `after` and `before` that `line` has neither as a price nor as a left-out trade. Null when
 * no number is missing.
 */
export function firstMissing(line: SourceLine, after: number, before: number): number | null {
  let expected = after + 1
  const known = [
    ...line.prices.map(({ ref }) => ({ from: ref, to: ref })),
    ...line.leftOut.map(({ from, to }) => ({ from, to })),
  ]
  for (const { from, to } of known.toSorted((a, b) => a.from - b.from)) {
    if (expected >= before || from > expected) break
    expected = Math.max(expected, to + 1)
  }
  return expected < before ? expected : null
}
