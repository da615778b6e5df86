import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { type SettlementDecision } from '#core/orders/rules/rule-1.ts'
import type { VoidReason } from '#core/orders/order.ts'
import { RULES, type Rule } from '#core/orders/rules/rules.ts'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { type Instant, instant, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import { type DueKey, dueKeyText } from '#server/trading/engine/due-index.ts'
import type { PriceRow, WrittenPrice } from '#server/trading/engine/due-order.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import { ComputedDecider } from '#server/trading/engine/computed-decider.ts'
import { LineDecider, type ReadHistory } from '#server/trading/engine/line-decider.ts'

export interface PriceDeciderParts {
  readonly ctx: Pick<Ctx, 'log' | 'now'>
  readonly store: Pick<EngineStore, 'writeSettlementPrices'>
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  /** Null when no public history of a source is requested. */
  readonly readHistory: ReadHistory | null
  /** Called with each expiry that cannot be decided yet. */
  readonly onUndecided: (key: DueKey) => void
}

/** Expiries whose prices are stored. */
export interface Decided {
  readonly keys: readonly DueKey[]
  /** The prices this server wrote, by expiry. */
  readonly prices: ReadonlyMap<string, WrittenPrice>
}

/** A symbol removed from the catalogue gets no more prices. Its orders use the strictest maximum age. */
const UNKNOWN_SYMBOL_TICK_AGE_MS = 5_000

/** Decides the settlement price of each expiry from the logged ticks, and writes it once. */
export class PriceDecider {
  readonly #parts: PriceDeciderParts
  readonly #byLine: LineDecider
  readonly #byComputation: ComputedDecider

  constructor(parts: PriceDeciderParts) {
    this.#parts = parts
    this.#byLine = new LineDecider(parts)
    this.#byComputation = new ComputedDecider(parts)
  }

  /** Decides these expiries and writes their prices. Returns null when no expiry was decided. */
  async decideAll(keys: readonly DueKey[]): Promise<Decided | null> {
    const { ctx, onUndecided } = this.#parts
    const rows: PriceRow[] = []
    for (const key of keys) {
      const row = await this.#decide(key)
      if (row === null) onUndecided(key)
      else rows.push(row)
    }
    const decidedAt = momentOf(rows, ctx.now())
    const standing: PriceRow[] = []
    for (const row of rows) {
      if (isStanding(row, decidedAt)) standing.push(row)
      else onUndecided(row)
    }
    if (standing.length === 0) return null
    return { keys: standing, prices: await this.#write(standing, decidedAt) }
  }

  /** Writes the prices and returns those that were not stored before, by expiry. */
  async #write(decided: readonly PriceRow[], decidedAt: Instant): Promise<ReadonlyMap<string, WrittenPrice>> {
    const { store } = this.#parts
    const written = new Set((await store.writeSettlementPrices(decided, decidedAt)).map(dueKeyText))
    return new Map(
      decided.map((row) => [dueKeyText(row), { ...row, decidedAt }] as const).filter(([key]) => written.has(key)),
    )
  }

  async #decide(key: DueKey): Promise<PriceRow | null> {
    const { group } = key
    const rule = RULES.get(group?.rule ?? 1)
    if (rule === undefined) {
      // An older version of the program must not guess how a newer version settles.
      this.#parts.ctx.log.error({ ...key }, 'open orders have a rule that this program does not know: they stay open')
      return null
    }
    if (group === undefined) return await this.#decideByTicks(rule, key)
    if (rule.decideByLine !== null && group.evidence === 'ids')
      return this.#noted(await this.#byLine.decide({ ...key, group }))
    const row = await this.#decideByTicks(rule, key)
    if (group.evidence !== 'computed' || row === null || row.voidReason === null) return row
    return await this.#byComputation.decide({ ...key, group }, row)
  }

  #noted(row: PriceRow | null): PriceRow | null {
    if (row !== null && row.voidReason !== null) this.#warnOfVoid(row, row.voidReason)
    return row
  }

  async #decideByTicks(rule: Rule, key: DueKey): Promise<PriceRow | null> {
    const { ticks } = this.#parts
    let { decision, seen } = await this.#judge(rule, key)
    if (decision.kind === 'void') {
      // Another node may have logged the missing price.
      await ticks.waitUntilCaughtUp()
      ;({ decision, seen } = await this.#judge(rule, key))
    }
    if (decision.kind === 'wait') return null
    // A price that came in time may still wait to be written to the tick log, so the expiry must wait too.
    if (decision.kind === 'void' && decision.reason === 'no_price_after_expiry' && this.#mayStillPass(key)) return null
    if (decision.kind === 'price') {
      return { ...seen, exit: decision.exit, voidReason: null, sinceSeq: decision.exit.seq }
    }
    this.#warnOfVoid(key, decision.reason)
    return { ...seen, exit: null, voidReason: decision.reason, sinceSeq: null }
  }

  #warnOfVoid({ symbolId, expiresAt, group }: DueKey, reason: VoidReason): void {
    const { source } = group ?? {}
    this.#parts.ctx.log.warn(
      { symbolId, expiresAt, source, reason },
      'an expiry has no valid price: its orders are void',
    )
  }

  #mayStillPass({ symbolId, expiresAt }: DueKey): boolean {
    const since = this.#parts.ticks.waitingSince(symbolId)
    return since !== null && since <= later(expiresAt, WATERMARK_LIMIT_MS)
  }

  async #judge(
    rule: Rule,
    key: DueKey,
  ): Promise<{ decision: SettlementDecision; seen: Omit<PriceRow, 'exit' | 'voidReason' | 'sinceSeq'> }> {
    const { ctx, ticks, catalogue } = this.#parts
    const newest = ticks.latest(key.symbolId)
    const { last, next, isOfSource } = await this.#byComputation.around(key)
    // If a price was logged during this read, judges again, because the judged prices and the newest tick of the log
    // must match.
    if (ticks.latest(key.symbolId) !== newest) return await this.#judge(rule, key)
    const watermark = ticks.watermark(key.symbolId)
    const maxTickAgeMs =
      key.group?.maxTickAgeMs ?? catalogue.tickAgeAt(key.symbolId, key.expiresAt) ?? UNKNOWN_SYMBOL_TICK_AGE_MS
    const facts = {
      expiresAt: key.expiresAt,
      last,
      next,
      // A heartbeat of another source says nothing about the source of these orders.
      watermark: isOfSource ? watermark : null,
      maxTickAgeMs,
      now: ctx.now(),
    }
    const seen = {
      ...key,
      isLate: false,
      next,
      watermark,
      maxTickAgeMs,
      head: ticks.head(),
      writerToken: ticks.writerToken(),
    }
    return { decision: rule.decideByTicks(facts), seen }
  }
}

/**
 * Whether a decision is still valid at the time that is stored with it. A heartbeat proves a price for one minute only.
 */
function isStanding({ expiresAt, next, voidReason, group }: PriceRow, decidedAt: Instant): boolean {
  if (group !== undefined && group.evidence !== 'none') return true
  const deadline = later(expiresAt, WATERMARK_LIMIT_MS)
  const isByTick = next !== null && next.receivedAt <= deadline
  return isByTick || voidReason === 'no_price_after_expiry' || decidedAt <= deadline
}

/**
 * Returns the decision time of these rows. The decision time is not before their expiries, nor before the receipt times
 * of the deciding prices. These times may be ahead of this server's clock, because they come from the clock of a source
 * or of the log's writer.
 */
function momentOf(rows: readonly PriceRow[], now: Instant): Instant {
  return rows.reduce(
    (latest, { expiresAt, exit, next, watermark }) =>
      instant(
        Math.max(
          latest,
          expiresAt,
          exit?.receivedAt ?? latest,
          next?.receivedAt ?? latest,
          (watermark ?? latest) - MAX_CLOCK_SKEW_MS,
        ),
      ),
    now,
  )
}
