import { later, type Instant } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { BatchSettler } from '#server/trading/engine/batch-settler.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { ClosedOrder } from '#server/trading/engine/due-order.ts'
import { DueSelection, MAX_EXPIRIES_PER_ROUND } from '#server/trading/engine/due-selection.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { ReadHistory } from '#server/trading/engine/line-decider.ts'
import { PriceDecider } from '#server/trading/engine/price-decider.ts'

export interface SettlerOptions {
  readonly ctx: Ctx
  readonly store: Omit<EngineStore, 'acceptBatch' | 'findByClientOrderId' | 'checkLedger'>
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  readonly readHistory: ReadHistory | null
  readonly maxBatchSize: number
  /** The number of lanes: see `AcceptorOptions`. */
  readonly lanes: number
  /** The pause in ms after which due expiries are settled even when no price arrives. */
  readonly tickMs: number
  /** The pause in ms between two searches of the table `open_order` for overdue orders that the index lacks. */
  readonly sweepMs: number
  /**
   * Returns whether this node settles a symbol. Given only when several nodes share the symbols. Default: this node
   * settles all symbols.
   */
  readonly owns?: (symbolId: number) => boolean
  /** Called with the orders that one statement has settled. */
  readonly onSettled: (orders: readonly ClosedOrder[]) => void
}

/**
 * Settles expired orders in rounds. A round first writes the price of each (symbol, expiry) once, with the ticks that
 * prove it. Then it settles the orders of those expiries. Rounds run one after another, but a round may write its
 * prices while the orders of the previous round are still being settled. No settling runs inside a price callback.
 */
export class Settler {
  readonly #options: SettlerOptions
  readonly #due: DueSelection
  readonly #decider: PriceDecider
  readonly #batches: BatchSettler
  #round: Promise<void> | null = null
  #again = false
  /**
   * `#roundAt` is when the current round began. `#lateMs` is how late its earliest expiry was then, but 0 if the round
   * had room for all due expiries.
   */
  #roundAt: Instant
  #lateMs = 0
  #stopped = true
  #cancelTimer: () => void = () => {}
  #stopSweeping: () => Promise<void> = () => Promise.resolve()
  #stopListening: () => void = () => {}

  constructor(options: SettlerOptions) {
    const { ctx, store, ticks, catalogue, readHistory, maxBatchSize, lanes, owns, onSettled } = options
    this.#options = options
    this.#roundAt = ctx.now()
    this.#due = new DueSelection({ ctx, ticks, owns: owns ?? (() => true) })
    const onUndecided = (key: DueKey): void => this.#due.putBack(key)
    this.#decider = new PriceDecider({ ctx, store, ticks, catalogue, readHistory, onUndecided })
    this.#batches = new BatchSettler({ ctx, store, maxBatchSize, lanes, isShared: owns !== undefined, onSettled })
  }

  /** Rebuilds the index from the open orders and settles orders that expired while no server ran. */
  async recover(): Promise<void> {
    this.#due.add(await this.#options.store.openExpiries())
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

  /** The number of expiries that are still to come or undecided. */
  get expected(): number {
    return this.#due.size
  }

  /** How late results are because settling takes too long. Waiting for a price does not count. */
  get settlementLagMs(): number {
    return this.#round === null ? 0 : this.#lateMs + this.#options.ctx.now() - this.#roundAt
  }

  watch(key: DueKey): void {
    this.#due.watch(key)
  }

  /** Call when this node has acquired more symbols to settle. */
  async takeOver(): Promise<void> {
    this.#due.addAgain(await this.#options.store.openExpiries())
    this.#wake()
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
    this.#due.add(await store.overdueExpiries(until, MAX_EXPIRIES_PER_ROUND))
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
      await this.#batches.announceUnsure()
      const keys = this.#due.take()
      this.#recordRound(keys)
      const decided = keys.length === 0 ? null : await this.#requeueOnError(keys, () => this.#decider.decideAll(keys))
      if (decided !== null) {
        await settling
        settling = this.#requeueOnError(keys, () => this.#batches.settle(decided)).then(() => undefined)
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
      this.#due.add(keys)
      this.#again = false
      this.#options.ctx.log.error({ err: error, expiries: keys.length }, 'settling failed and will be retried')
      return null
    }
  }
}
