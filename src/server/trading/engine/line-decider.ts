import { decideByLine, type HistoryAnswer, type LineDecision } from '#core/orders/rules/rule-2.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import { type LinePrice, type SourceLine, sourceLine } from '#core/orders/rules/source-line.ts'
import type { Tick } from '#core/markets/tick.ts'
import { DAY_MS, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type DueKey, dueKeyText } from '#server/trading/engine/due-index.ts'
import type { DecidingTick, PriceRow } from '#server/trading/engine/due-order.ts'

/** An expiry for which the public history of a source is requested. */
export interface HistoryQuestion {
  readonly symbolId: number
  readonly source: string
  readonly expiresAt: Instant
}

/** Reads the reply of a source's public history about an expiry. */
export type ReadHistory = (question: HistoryQuestion) => Promise<HistoryAnswer>

export interface LineDeciderParts {
  readonly ctx: Pick<Ctx, 'now'>
  readonly ticks: Ticks
  readonly readHistory: ReadHistory | null
}

const NO_ANSWER: HistoryAnswer = { kind: 'none' }

type GroupKey = DueKey & { readonly group: PriceGroup }

/** How far before and after an expiry the tick log is searched for lines of a source: first 30 s, then 10 minutes. */
const LOOK_MS = [30 * SECOND_MS, 10 * MINUTE_MS] as const
/**
 * The log is searched this far when the nearest ten minutes have no trade of the source before or after the expiry. In a
 * quiet market or after a halt, such a trade may be far away. `loadSourceLine` reads as far, because late evidence is
 * requested only for expiries that the log cannot decide.
 */
const FAR_LOOK_MS = [30 * MINUTE_MS, DAY_MS] as const
/** 30 s: the pause between two far searches for one expiry, because each one reads much of the log. */
const FAR_PAUSE_MS = 30 * SECOND_MS

/** Decides the price of expiries by the numbered trades of the source that gave the entry prices of their orders. */
export class LineDecider {
  readonly #parts: LineDeciderParts
  /** When the next far search for an undecided expiry may begin, by `dueKeyText`. */
  readonly #farFrom = new Map<string, Instant>()

  constructor(parts: LineDeciderParts) {
    this.#parts = parts
  }

  /** Decides an expiry. Returns null while trades of the source are missing. */
  async decide(key: GroupKey): Promise<PriceRow | null> {
    return (await this.#fromMemory(key)) ?? (await this.#fromLog(key))
  }

  /**
   * Decides in the usual case: the last trade and the next trade are in memory, and no trade number is missing between
   * them.
   */
  async #fromMemory(key: GroupKey): Promise<PriceRow | null> {
    const { ticks } = this.#parts
    const { last, next } = await ticks.aroundInstant(key.symbolId, key.expiresAt)
    if (last === null || next === null) return null
    const line = lineOf([last, next], key.group.source)
    return toRow(key, line, { history: { kind: 'none' }, ticks, head: ticks.head() })
  }

  async #fromLog(key: GroupKey): Promise<PriceRow | null> {
    const { readHistory } = this.#parts
    const { symbolId, expiresAt, group } = key
    const history = (await readHistory?.({ symbolId, source: group.source, expiresAt })) ?? NO_ANSWER
    let isOneSided = true
    for (const lookMs of LOOK_MS) {
      const { line, row } = await this.#look(key, history, lookMs)
      if (row !== null) return row
      isOneSided = !hasBothSides(line, expiresAt)
    }
    // When the source has stated that it has no newer trade, a far search decides, so it needs no pause.
    const isQuiet = history.kind === 'quiet' || history.kind === 'rests'
    if (!isQuiet && !(isOneSided && this.#maySearchFar(key))) return null
    for (const lookMs of FAR_LOOK_MS) {
      const { line, row } = await this.#look(key, history, lookMs)
      if (row !== null) return row
      if (hasBothSides(line, expiresAt)) break
    }
    return null
  }

  async #look(
    key: GroupKey,
    history: HistoryAnswer,
    lookMs: number,
  ): Promise<{ line: SourceLine; row: PriceRow | null }> {
    const { ticks } = this.#parts
    const { symbolId, expiresAt, group } = key
    const { lines, head } = await ticks.logLines(symbolId, later(expiresAt, -lookMs), later(expiresAt, lookMs))
    const line = sourceLine(lines, { symbolId, source: group.source })
    return { line, row: toRow(key, line, { history, ticks, head }) }
  }

  /** Whether a far search for an expiry may begin now. If so, the next one may begin only after a pause. */
  #maySearchFar(key: GroupKey): boolean {
    const now = this.#parts.ctx.now()
    if (now < later(key.expiresAt, FAR_PAUSE_MS)) return false
    for (const [text, from] of this.#farFrom) if (from <= now) this.#farFrom.delete(text)
    const text = dueKeyText(key)
    if (this.#farFrom.has(text)) return false
    this.#farFrom.set(text, later(now, FAR_PAUSE_MS))
    return true
  }
}

/** Whether a line has a trade up to an expiry and a trade after it. */
function hasBothSides({ prices }: SourceLine, expiresAt: Instant): boolean {
  return (prices[0]?.time ?? Infinity) <= expiresAt && (prices.at(-1)?.time ?? 0) > expiresAt
}

function lineOf(found: readonly Tick[], source: string): SourceLine {
  const prices = found.flatMap((tick): LinePrice[] =>
    tick.source === source && tick.ref !== undefined
      ? [{ ref: tick.ref, price: tick.price, time: tick.time, receivedAt: tick.receivedAt, q: tick.seq, isLate: false }]
      : [],
  )
  return { prices, leftOut: [] }
}

interface Known {
  readonly history: HistoryAnswer
  readonly ticks: Pick<Ticks, 'watermark' | 'writerToken'>
  readonly head: LogHead
}

function toRow(key: GroupKey, line: SourceLine, { history, ticks, head }: Known): PriceRow | null {
  const { expiresAt, group } = key
  const decision = decideByLine(line, { expiresAt, maxTickAgeMs: group.maxTickAgeMs, history })
  if (decision.kind === 'wait') return null
  const exit = decision.kind === 'price' ? decision.exit : null
  return {
    ...key,
    exit: exit && toTick(exit),
    next: decision.next && toTick(decision.next),
    voidReason: decision.kind === 'void' ? decision.reason : null,
    sinceSeq: firstPlace(line, decision),
    isLate: exit?.isLate === true || decision.next?.isLate === true,
    watermark: ticks.watermark(key.symbolId),
    maxTickAgeMs: group.maxTickAgeMs,
    head,
    writerToken: ticks.writerToken(),
  }
}

/**
 * Returns the first sequence number of the tick log from which the decision can be read. Late evidence may be stored
 * far behind the prices around it, so the range also contains the last price before it that came in time.
 */
function firstPlace({ prices }: SourceLine, decision: Exclude<LineDecision, { kind: 'wait' }>): number | null {
  const last = decision.kind === 'price' ? decision.exit : decision.last
  if (last === null) return null
  const before = last.isLate ? prices.findLast(({ ref, isLate }) => ref < last.ref && !isLate) : undefined
  return Math.min(last.q, decision.next?.q ?? last.q, before?.q ?? last.q)
}

function toTick({ q, price, time, receivedAt, ref }: LinePrice): DecidingTick {
  return { seq: q, price, time, receivedAt, ref }
}
