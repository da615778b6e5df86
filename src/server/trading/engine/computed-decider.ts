import type { LogLine, PlacedLine } from '#core/markets/log-text.ts'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { decideByComputation } from '#core/orders/rules/computed-line.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import { DAY_MS, type Instant, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { DecidingTick, PriceRow } from '#server/trading/engine/due-order.ts'
import type { ReadHistory } from '#server/trading/engine/line-decider.ts'

export interface ComputedDeciderParts {
  readonly ctx: Pick<Ctx, 'now'>
  readonly ticks: Pick<Ticks, 'logLines' | 'aroundInstant'>
  readonly readHistory: ReadHistory | null
}

/** Computed prices are read from the tick log from 10 minutes before to 10 minutes after an expiry. */
const LOOK_MS = 10 * MINUTE_MS

/** The ticks around an expiry by which the rules decide. */
interface TicksAround {
  readonly last: Tick | null
  readonly next: Tick | null
  /** Whether the ticks next to the expiry are all of the source that gave the entry prices. */
  readonly isOfSource: boolean
}

/**
 * Decides expiries of a computed source for which the tick log has no price. Such a source can compute the prices of
 * any moment again. So the orders wait until these prices are in the log as late evidence. If none came within a day,
 * the orders are void.
 */
export class ComputedDecider {
  readonly #parts: ComputedDeciderParts

  constructor(parts: ComputedDeciderParts) {
    this.#parts = parts
  }

  /**
   * Finds the ticks around an expiry. Orders whose entry price is of a computed source never end by a price of another
   * source.
   */
  async around({ symbolId, expiresAt, group }: DueKey): Promise<TicksAround> {
    const { ticks } = this.#parts
    const { last, next } = await ticks.aroundInstant(symbolId, expiresAt)
    const isOther = (tick: Tick | null) => tick !== null && tick.source !== group?.source
    if (group?.evidence !== 'computed' || !(isOther(last) || isOther(next))) return { last, next, isOfSource: true }
    const { lines } = await ticks.logLines(symbolId, later(expiresAt, -LOOK_MS), later(expiresAt, LOOK_MS))
    return { ...ticksOf(lines, { symbolId, expiresAt, source: group.source }), isOfSource: false }
  }

  /**
   * Decides an expiry that is void by the prices that came in time (`without`). Returns null while the source has not
   * computed its prices again.
   */
  async decide(key: DueKey & { readonly group: PriceGroup }, without: PriceRow): Promise<PriceRow | null> {
    const { ctx, ticks, readHistory } = this.#parts
    const { symbolId, expiresAt, group } = key
    if (readHistory === null) return without
    const answer = await readHistory({ symbolId, source: group.source, expiresAt })
    if (answer.kind === 'none' || answer.kind === 'contradicts') {
      return ctx.now() > later(expiresAt, DAY_MS) ? without : null
    }
    if (answer.kind === 'unavailable') return without
    const { lines, head } = await ticks.logLines(symbolId, later(expiresAt, -LOOK_MS), later(expiresAt, LOOK_MS))
    const { exit, next } = decideByComputation(lines, {
      symbolId,
      source: group.source,
      expiresMs: expiresAt,
      maxTickAgeMs: group.maxTickAgeMs,
    })
    if (exit === null) return { ...without, head }
    return {
      ...without,
      exit: toTick(exit),
      next: next && toTick(next),
      voidReason: null,
      sinceSeq: Math.min(exit.q, next?.q ?? exit.q),
      isLate: exit.kind === 'e' || next?.kind === 'e',
      head,
    }
  }
}

/** Picks the ticks of one source that came in time: the last one up to the expiry, and the first one after it. */
function ticksOf(
  lines: readonly LogLine[],
  { symbolId, expiresAt, source }: { symbolId: number; expiresAt: Instant; source: string },
): Omit<TicksAround, 'isOfSource'> {
  const own = lines.flatMap((line) =>
    line.kind === 't' && line.symbolId === symbolId && line.source === source
      ? [{ ...toTick(line), symbolId, source, volume: volume(line.volume) }]
      : [],
  )
  return {
    last: own.findLast(({ time }) => time <= expiresAt) ?? null,
    next: own.find(({ time }) => time > expiresAt) ?? null,
  }
}

function toTick({ q, price: units, timeMs, receivedMs, ref }: PlacedLine): DecidingTick {
  return { seq: q, price: price(units), time: instant(timeMs), receivedAt: instant(receivedMs), ref: ref ?? undefined }
}
