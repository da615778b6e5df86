import { type SettlementDecision, WATERMARK_LIMIT_MS, decideSettlementPrice } from '#core/orders/settlement-price.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { type Instant, instant, later } from '#core/time/instant.ts'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { DueIndex, type DueKey, dueKeyText } from '#server/trading/engine/due-index.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import { groupByShard } from '#server/trading/engine/user-shards.ts'
import {
  type ClosedOrder,
  type DueOrder,
  type PriceRow,
  settledOrder,
  type WrittenPrice,
} from '#server/trading/engine/due-order.ts'
import { UnsureSettlements } from '#server/trading/engine/in-doubt-settlements.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface SettlerOptions {
  readonly ctx: Ctx
  readonly store: Omit<EngineStore, 'acceptBatch' | 'findByClientOrderId' | 'checkLedger'>
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  readonly maxBatchSize: number
  /** The number of lanes, as for accepting orders. A batch is split by lane, so each user's orders use one lane. */
  readonly lanes: number
  /** How often expiries are checked when no price arrives. */
  readonly tickMs: number
  /** How often the table is searched for overdue orders that the index does not know. */
  readonly sweepMs: number
  /** Which symbols this node settles when several share them. Default: all. */
  readonly owns?: (symbolId: number) => boolean
  /** Called with the orders that one statement has settled. */
  readonly onSettled: (orders: readonly ClosedOrder[]) => void
}

/** One round decides and settles at most this many expiries, so that a burst cannot block the event loop for long. */
const MAX_EXPIRIES_PER_ROUND = 500
/** Batches queued per lane: the database starts the next one while the reply to the last is being read. */
const BATCHES_AT_ONCE = 2
/** Orders loaded together, as a multiple of one turn: each load scans again past the orders settled since the last. */
const TURNS_LOADED = 3
/** A symbol removed from the catalogue gets no more prices. Its orders use the strictest maximum age. */
const UNKNOWN_SYMBOL_TICK_AGE_MS = 5_000

/** Whether a decision still holds at the time it is stored with. A heartbeat proves a price for one minute only. */
function isStanding({ expiresAt, next, voidReason }: PriceRow, decidedAt: Instant): boolean {
  const deadline = later(expiresAt, WATERMARK_LIMIT_MS)
  const isByTick = next !== null && next.receivedAt <= deadline
  return isByTick || voidReason === 'no_price_after_expiry' || decidedAt <= deadline
}

/** Expiries whose prices are stored. */
interface Decided {
  readonly keys: readonly DueKey[]
  /** The prices this server wrote, by expiry. */
  readonly prices: ReadonlyMap<string, WrittenPrice>
}

/**
 * Settles expired orders. First it writes the price of each (symbol, expiry) once, with the ticks that prove it. Then it settles the orders
 * of that expiry from stored rows alone. Rounds run one after another, except that a round may write its prices while the previous one's
 * orders are settled. No settling runs inside a price callback.
 */
export class Settler {
  readonly #options: SettlerOptions
  readonly #due = new DueIndex()
  readonly #unsure = new UnsureSettlements()
  #round: Promise<void> | null = null
  #again = false
  /** When the current round began, and how late its first expiry was at that time if the round left expiries over. */
  #roundAt: Instant
  #lateMs = 0
  #stopped = true
  #cancelTimer: () => void = () => {}
  #stopSweeping: () => Promise<void> = () => Promise.resolve()
  #stopListening: () => void = () => {}

  constructor(options: SettlerOptions) {
    this.#options = options
    this.#roundAt = options.ctx.now()
  }

  /** Rebuilds the index from the open orders and settles orders that expired while no server ran. */
  async recover(): Promise<void> {
    for (const key of await this.#options.store.openExpiries()) this.#due.add(key)
    if (this.#due.size > 0) this.#options.ctx.log.info({ expiries: this.#due.size }, 'open orders were found')
    this.#stopped = false
    await this.settleDue()
  }

  start(): void {
    this.#stopListening = this.#options.ticks.onBatch(() => this.#wake())
    this.#schedule()
    this.#stopSweeping = runPeriodically(this.#options.ctx, {
      pauseMs: () => this.#options.sweepMs,
      run: () => this.#findOverdue(),
      failure: 'overdue orders could not be looked up',
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelTimer()
    this.#stopListening()
    await this.#stopSweeping()
    await this.#round
  }

  /** Expiries that are still to come or undecided. */
  get expected(): number {
    return this.#due.size
  }

  /** How late results are because settling takes too long. Waiting for a price does not count. */
  get settlementLagMs(): number {
    return this.#round === null ? 0 : this.#lateMs + this.#options.ctx.now() - this.#roundAt
  }

  watch(key: DueKey): void {
    if (this.#owns(key.symbolId)) this.#due.add(key)
  }

  /** Call when this node has acquired more symbols to settle. */
  async takeOver(): Promise<void> {
    for (const key of await this.#options.store.openExpiries()) this.#due.add(key)
    this.#due.forgetRepeats()
    this.#wake()
  }

  #owns(symbolId: number): boolean {
    return this.#options.owns?.(symbolId) ?? true
  }

  /** Settles everything that is due and can be decided now. */
  async settleDue(): Promise<void> {
    this.#wake()
    await this.#round
  }

  #schedule(): void {
    this.#cancelTimer = this.#options.ctx.clock.after(this.#options.tickMs, () => {
      this.#wake()
      this.#schedule()
    })
  }

  async #findOverdue(): Promise<void> {
    const { ctx, store } = this.#options
    // Expiries that are late only because of the backlog are in the index already.
    const until = later(ctx.now(), -this.settlementLagMs)
    for (const key of await store.overdueExpiries(until, MAX_EXPIRIES_PER_ROUND)) this.#due.add(key)
  }

  #wake(): void {
    if (this.#stopped) return
    if (this.#round !== null) {
      this.#again = true
      return
    }
    this.#round = this.#rounds().finally(() => {
      this.#round = null
    })
  }

  async #rounds(): Promise<void> {
    let settling = Promise.resolve()
    do {
      this.#again = false
      await this.#tellUnsure()
      const keys = this.#takeDue()
      this.#recordRound(keys)
      const decided = keys.length === 0 ? null : await this.#requeueOnError(keys, () => this.#decideAll(keys))
      if (decided !== null) {
        await settling
        settling = this.#requeueOnError(keys, () => this.#settle(decided)).then(() => undefined)
      }
      if (!this.#again) await settling
    } while (this.#again && !this.#stopped)
    await settling
  }

  #recordRound(keys: readonly DueKey[]): void {
    const now = this.#options.ctx.now()
    const isFull = keys.length === MAX_EXPIRIES_PER_ROUND
    this.#roundAt = now
    this.#lateMs = isFull ? keys.reduce((maxMs, { expiresAt }) => Math.max(maxMs, now - expiresAt), 0) : 0
    if (isFull) this.#again = true
  }

  /** Runs `work`. When it fails, adds the expiries to the index again and returns null. */
  async #requeueOnError<T>(keys: readonly DueKey[], work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      for (const key of keys) this.#due.add(key)
      this.#again = false
      this.#options.ctx.log.error({ err: error, expiries: keys.length }, 'settling failed and will be retried')
      return null
    }
  }

  /** Announces orders that a failed statement has settled nevertheless, as soon as the database shows it. */
  async #tellUnsure(): Promise<void> {
    if (this.#unsure.size === 0) return
    try {
      this.#tell(await this.#unsure.takeSettled(this.#options.store))
    } catch (error) {
      this.#options.ctx.log.warn(
        { err: error, orders: this.#unsure.size },
        'the results of a failed settlement could not be read',
      )
    }
  }

  /**
   * Removes from the index expiries that the feed has passed and those that waited too long: the soonest of all symbols, up to one round.
   */
  #takeDue(): DueKey[] {
    const { ctx, ticks } = this.#options
    // With an untrusted clock an order that merely looks overdue would become void.
    if (!ctx.clock.isTrusted()) return []
    const overdue = later(ctx.now(), -WATERMARK_LIMIT_MS)
    const due: DueKey[] = []
    for (const symbolId of this.#due.symbols()) {
      if (!this.#owns(symbolId)) {
        // Another node settles this symbol. If this node acquires it, its expiries are read again.
        this.#due.takeBefore(symbolId, overdue)
        continue
      }
      const watermark = ticks.watermark(symbolId)
      const until = watermark !== null && watermark > overdue ? watermark : overdue
      due.push(...this.#due.takeBefore(symbolId, until, MAX_EXPIRIES_PER_ROUND))
    }
    if (due.length <= MAX_EXPIRIES_PER_ROUND) return due
    due.sort((a, b) => a.expiresAt - b.expiresAt)
    for (const key of due.splice(MAX_EXPIRIES_PER_ROUND)) this.#due.add(key)
    return due
  }

  /** Decides these expiries and writes their prices. Expiries that must wait go back to the index. Null when none was decided. */
  async #decideAll(keys: readonly DueKey[]): Promise<Decided | null> {
    const rows: PriceRow[] = []
    for (const key of keys) {
      const row = await this.#decide(key)
      if (row === null) this.#due.add(key)
      else rows.push(row)
    }
    const decidedAt = this.#momentOf(rows)
    const standing: PriceRow[] = []
    for (const row of rows) {
      if (isStanding(row, decidedAt)) standing.push(row)
      else this.#due.add(row)
    }
    if (standing.length === 0) return null
    return { keys: standing, prices: await this.#writePrices(standing, decidedAt) }
  }

  async #settle({ keys, prices }: Decided): Promise<void> {
    const { store, maxBatchSize, lanes, owns } = this.#options
    const atOnce = BATCHES_AT_ONCE * lanes * maxBatchSize
    const loaded = TURNS_LOADED * atOnce
    for (;;) {
      const orders = await store.loadDueOrders(keys, loaded)
      let settled = 0
      for (const some of chunk(orders, atOnce)) settled += await this.#settleByLanes(some, prices)
      // Orders that the guard refused would be loaded again for ever.
      if (orders.length < loaded || (settled === 0 && owns !== undefined)) return
    }
  }

  /** Announces the orders of each successful batch, whatever happens to the others. Returns the number of settled orders. */
  async #settleByLanes(orders: readonly DueOrder[], prices: ReadonlyMap<string, WrittenPrice>): Promise<number> {
    const { ctx, lanes, maxBatchSize } = this.#options
    const settledAt = ctx.now()
    const batches = groupByShard(orders, lanes).flatMap((all, lane) =>
      chunk(all, maxBatchSize).map((own) => ({ lane, own })),
    )
    const ends = await Promise.allSettled(
      batches.map(async ({ lane, own }) => {
        const settled = await this.#settleBatch(own, settledAt, lane)
        this.#tell(
          settled.map((settlement): ClosedOrder => {
            const key = dueKeyText({ symbolId: settlement.due.symbolId, expiresAt: settlement.due.facts.expiresAt })
            return { ...settlement, settledAt, price: prices.get(key) ?? null }
          }),
        )
        return settled.length
      }),
    )
    let settled = 0
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason
      settled += end.value
    }
    return settled
  }

  /** Returns the settled orders, in the order they were given. */
  async #settleBatch(
    orders: readonly DueOrder[],
    settledAt: Instant,
    lane: number,
  ): Promise<Pick<ClosedOrder, 'order' | 'due'>[]> {
    const rows = orders.map((due) => ({
      userId: due.userId,
      orderId: due.orderId,
      due,
      settled: settleOrder(due.facts, due.price),
    }))
    try {
      const credited = await this.#options.store.settleBatch(rows, settledAt, lane)
      this.#unsure.drop(credited)
      const byOrder = new Map(credited.map((one) => [one.orderId, one]))
      return rows.flatMap(({ orderId, due, settled }) => {
        const own = byOrder.get(orderId)
        return own === undefined ? [] : [{ order: settledOrder(due, settled, own), due }]
      })
    } catch (error) {
      this.#unsure.add(orders)
      throw error
    }
  }

  #tell(closed: readonly ClosedOrder[]): void {
    const { ctx, onSettled } = this.#options
    if (closed.length > 0) onSettled(closed)
    for (const { order } of closed) {
      const { orderId, userId, symbolId, result } = order
      ctx.log.debug({ orderId, userId, symbolId, result }, 'an order was settled')
      ctx.publish({ kind: 'order-settled', order })
    }
  }

  /** Writes the prices and returns those that were not stored before, by expiry. */
  async #writePrices(decided: readonly PriceRow[], decidedAt: Instant): Promise<ReadonlyMap<string, WrittenPrice>> {
    const { store } = this.#options
    const written = new Set((await store.writeSettlementPrices(decided, decidedAt)).map(dueKeyText))
    return new Map(
      decided.map((row) => [dueKeyText(row), { ...row, decidedAt }] as const).filter(([key]) => written.has(key)),
    )
  }

  /**
   * The decision time of these rows. It is not before their expiries, nor before the receipt times of the prices that decide them. Those
   * times come from the clock of a source or of the log's writer.
   */
  #momentOf(rows: readonly PriceRow[]): Instant {
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
      this.#options.ctx.now(),
    )
  }

  async #decide(key: DueKey): Promise<PriceRow | null> {
    const { ctx, ticks } = this.#options
    let { decision, seen } = await this.#judge(key)
    if (decision.kind === 'void') {
      // Another node may have logged the missing price.
      await ticks.waitUntilCaughtUp()
      ;({ decision, seen } = await this.#judge(key))
    }
    if (decision.kind === 'wait') return null
    // A price that came in time may still be waiting to be written.
    if (decision.kind === 'void' && decision.reason === 'no_price_after_expiry' && this.#mayStillPass(key)) return null
    if (decision.kind === 'price') return { ...seen, exit: decision.exit, voidReason: null }
    ctx.log.warn(
      { symbolId: key.symbolId, expiresAt: key.expiresAt, reason: decision.reason },
      'an expiry has no valid price: its orders are void',
    )
    return { ...seen, exit: null, voidReason: decision.reason }
  }

  #mayStillPass({ symbolId, expiresAt }: DueKey): boolean {
    const since = this.#options.ticks.waitingSince(symbolId)
    return since !== null && since <= later(expiresAt, WATERMARK_LIMIT_MS)
  }

  async #judge(key: DueKey): Promise<{ decision: SettlementDecision; seen: Omit<PriceRow, 'exit' | 'voidReason'> }> {
    const { ctx, ticks, catalogue } = this.#options
    const newest = ticks.latest(key.symbolId)
    const { last, next } = await ticks.aroundInstant(key.symbolId, key.expiresAt)
    // A price was logged while this read ran. The judged prices and the newest tick of the log must match.
    if (ticks.latest(key.symbolId) !== newest) return await this.#judge(key)
    const watermark = ticks.watermark(key.symbolId)
    const maxTickAgeMs = catalogue.tickAgeAt(key.symbolId, key.expiresAt) ?? UNKNOWN_SYMBOL_TICK_AGE_MS
    const facts = { expiresAt: key.expiresAt, last, next, watermark, maxTickAgeMs, now: ctx.now() }
    const seen = { ...key, next, watermark, maxTickAgeMs, head: ticks.head(), writerToken: ticks.writerToken() }
    return { decision: decideSettlementPrice(facts), seen }
  }
}
