import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { PAGES } from '#server/proof/receipts/backfill.ts'
import { BackfillRunner } from '#server/proof/receipts/backfill-runner.ts'
import { PendingOrders } from '#server/proof/receipts/pending-orders.ts'
import { ReceiptMaker } from '#server/proof/receipts/receipt-maker.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { nextState, type WorkerEvent, type WorkerState } from '#server/proof/receipts/worker-state.ts'

export interface ReceiptOptions {
  readonly maxWaitingOrders?: number
  /** Orders that the backfill reads per statement. */
  readonly pages?: typeof PAGES
  /**
   * Set when several servers share the database. Each server makes the receipts of its own commits. `runsBackfill`
   * returns whether this server runs the backfill.
   */
  readonly cluster?: { runsBackfill(): boolean } | null
}

/** 250 ms. Orders within this time share one tree, because each tree costs as much as a hundred receipts. */
const GATHER_MS = 250
/** 50,000 orders take about 40 MB. Further orders are not kept in memory, and the backfill finds them by their rows. */
const MAX_WAITING_ORDERS = 50_000
const RETRY_MS = 1_000

/** Creates a worker that makes the receipts of all orders. */
export function createReceiptWorker(
  ctx: Ctx,
  catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>,
  key: SigningKeyPair,
  { maxWaitingOrders = MAX_WAITING_ORDERS, pages = PAGES, cluster = null }: ReceiptOptions = {},
): ReceiptWorker {
  const pending = new PendingOrders(maxWaitingOrders)
  const maker = new ReceiptMaker({ ctx, catalogue, key, pending })
  return new ReceiptWorker({ ctx, pending, maker, pages, cluster })
}

/**
 * Makes receipts right after each commit, from the engine's memory and without delaying other work.
 * The backfill finds orders that were not announced or exceeded the limit: at the start, every minute, and after each
 * overflow.
 */
export class ReceiptWorker {
  readonly #ctx: Ctx
  readonly #pending: PendingOrders
  readonly #maker: ReceiptMaker
  readonly #backfill: BackfillRunner
  #state: WorkerState = 'idle'
  #cancelTimer: (() => void) | null = null
  /** The round in progress. Resolves to whether it succeeded. */
  #round: Promise<boolean> | null = null
  #stopBackfills: (() => Promise<void>) | null = null

  constructor({
    ctx,
    pending,
    maker,
    pages,
    cluster,
  }: {
    readonly ctx: Ctx
    readonly pending: PendingOrders
    readonly maker: ReceiptMaker
  } & Required<Pick<ReceiptOptions, 'pages' | 'cluster'>>) {
    this.#ctx = ctx
    this.#pending = pending
    this.#maker = maker
    this.#backfill = new BackfillRunner({
      ctx,
      pages,
      cluster,
      pending,
      maker,
      isStopping: () => this.#state === 'stopping',
      onDue: () => this.#handle('work'),
    })
  }

  /** Queues the receipts of orders that were just accepted or settled. Returns immediately. */
  enqueue(committed: CommittedBatch): void {
    const hadOverflowed = this.#pending.hasOverflowed
    if (!this.#pending.add(committed)) this.#leaveToBackfill(hadOverflowed)
    if (this.#pending.hasFullTree) this.#backfill.wake()
    this.#handle('work')
  }

  async start(): Promise<void> {
    await this.#backfill.start()
    this.#stopBackfills = runPeriodically(this.#ctx, {
      pauseMs: () => this.#backfill.pauseMs(),
      run: async () => {
        this.#backfill.makeDue()
        await this.#runRound()
      },
      failure: 'cannot search for orders without a receipt',
    })
  }

  /**
   * Makes the receipts of all queued orders. A running backfill ends after its current page, and the next start
   * continues it.
   */
  async stop(): Promise<void> {
    // From here on, the worker makes receipts only for callers that wait for them. The next start makes all others.
    this.#handle('stop')
    this.#backfill.wake()
    await this.#stopBackfills?.()
    await this.idle()
    this.#backfill.stop()
  }

  /** Runs a backfill now, which makes all missing receipts from the stored rows. */
  async search(): Promise<void> {
    this.#backfill.makeDue()
    await this.idle()
  }

  /** The number of orders that wait for their receipt. */
  waiting(): number {
    return this.#pending.count
  }

  /** -1 while the queue is empty, 0 when it is half full, and 1 when it can keep no more orders. */
  pressure(): number {
    return this.#pending.pressure
  }

  /** Makes all queued receipts now. Resolves when every announced order has its receipt. */
  async idle(): Promise<void> {
    this.#backfill.hurry()
    while ((await this.#runRound()) && this.#hasWork());
    this.#backfill.endHurry()
  }

  #hasWork(): boolean {
    return this.#pending.count > 0 || this.#pending.hasOverflowed || this.#backfill.isDue
  }

  #leaveToBackfill(hadOverflowed: boolean): void {
    if (!hadOverflowed) {
      this.#backfill.hurry()
      const orders = this.#pending.count
      this.#ctx.log.warn({ orders }, 'too many orders wait for receipts; further ones are read from the database')
    }
    this.#backfill.leaveOrder()
  }

  #handle(event: WorkerEvent): void {
    const before = this.#state
    const load = { hasWork: this.#hasWork(), hasFullTree: this.#pending.hasFullTree }
    this.#state = nextState(before, event, load)
    if (this.#state === before && event === 'work') return
    this.#cancelTimer?.()
    this.#cancelTimer = null
    if (this.#state === 'making') this.#round ??= this.#makeRound()
    else if (this.#state === 'gathering') this.#scheduleRound(GATHER_MS)
    else if (this.#state === 'retrying') this.#scheduleRound(RETRY_MS)
  }

  #scheduleRound(ms: number): void {
    this.#cancelTimer = this.#ctx.clock.after(ms, () => this.#handle('due'))
  }

  /** Waits for the running round, or for a new one if none runs. Resolves to whether the round succeeded. */
  #runRound(): Promise<boolean> {
    this.#handle('demand')
    // While the worker is stopping, `#handle` starts no round, so the round starts here.
    this.#round ??= this.#makeRound()
    return this.#round
  }

  async #makeRound(): Promise<boolean> {
    const hasSucceeded = await this.#makeAll()
    this.#round = null
    this.#handle(hasSucceeded ? 'done' : 'failed')
    return hasSucceeded
  }

  async #makeAll(): Promise<boolean> {
    try {
      do await this.#maker.makeNext()
      while (
        // If orders exceeded the limit, the backfill must find them, but only after all queued receipts are made.
        this.#pending.hasFullTree ||
        (this.#pending.hasOverflowed && this.#pending.count > 0)
      )
      if (this.#pending.hasOverflowed || this.#backfill.isDue) await this.#backfill.run()
      return true
    } catch (error) {
      this.#ctx.log.error({ err: error, orders: this.waiting() }, 'cannot make receipts; the next attempt follows')
      return false
    }
  }
}
