import type { Ctx } from '#server/platform/context/context.ts'
import { type CancellableSleep, createCancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'
import { type Backfill, createBackfill, type PAGES } from '#server/proof/receipts/backfill.ts'
import { BackfillSchedule } from '#server/proof/receipts/backfill-schedule.ts'
import type { PendingOrders } from '#server/proof/receipts/pending-orders.ts'
import type { ReceiptMaker } from '#server/proof/receipts/receipt-maker.ts'

export interface BackfillRunnerParts {
  readonly ctx: Ctx
  readonly pages: typeof PAGES
  readonly cluster: { runsBackfill(): boolean } | null
  readonly pending: PendingOrders
  readonly maker: ReceiptMaker
  readonly isStopping: () => boolean
  /** Called when a backfill has become due. */
  readonly onDue: () => void
}

/** The longest sleep during a pause, so that new orders wait at most 250 ms for their receipts. */
const MAX_SLEEP_MS = 250
/**
 * The pause after each page of the backfill, as a multiple of the page's duration. With a factor of 4, the backfill
 * uses a fifth of a core and keeps up with as many orders as two cores can accept. Larger pages with longer pauses
 * would fall behind, because new orders keep arriving.
 */
const REST_FACTOR = 4
/** 10 s after an order, no other server is still making its receipt, so the backfill may make it. */
const OTHERS_MS = 10_000

/** Runs the backfill page by page. Between the pages it pauses and makes the receipts of new orders. */
export class BackfillRunner {
  readonly #parts: BackfillRunnerParts
  readonly #backfill: Backfill
  readonly #schedule: BackfillSchedule
  readonly #pause: CancellableSleep
  /** In ms. Another server may still be making the receipts of orders that are younger than this. */
  readonly #othersMs: number
  #isDue = false
  /** Whether the backfill must not pause, because a caller waits for it or orders did not fit into memory. */
  #isHurried = false
  #cancelRepeat: (() => void) | null = null

  constructor(parts: BackfillRunnerParts) {
    const { ctx, pages, cluster, maker } = parts
    this.#parts = parts
    this.#othersMs = cluster === null ? 0 : OTHERS_MS
    this.#backfill = createBackfill(ctx, (kind, keys) => maker.makeFromRows(kind, keys), {
      othersMs: this.#othersMs,
      pages,
    })
    this.#schedule = new BackfillSchedule(ctx.now())
    this.#pause = createCancellableSleep(ctx.clock)
  }

  get isDue(): boolean {
    return this.#isDue
  }

  /** Notes from which time receipts may be missing, and runs the first backfill without pauses. */
  async start(): Promise<void> {
    this.#schedule.start(this.#parts.ctx.now())
    await this.#backfill.note()
    this.#isHurried = true
    await this.run()
  }

  stop(): void {
    this.#cancelRepeat?.()
  }

  /** Returns the pause in ms until the next backfill is due. */
  pauseMs(): number {
    return this.#schedule.pauseMs(this.#parts.ctx.now())
  }

  makeDue(): void {
    this.#isDue = true
  }

  /** Notes that the queue did not take an order, so the backfill has to make its receipt. */
  leaveOrder(): void {
    this.#schedule.leave(this.#parts.ctx.now())
  }

  /** Ends the current pause of a running backfill. */
  wake(): void {
    this.#pause.wake()
  }

  /** Lets the backfill run without pauses, because a caller waits for it. */
  hurry(): void {
    this.#isHurried = true
    this.#pause.wake()
  }

  endHurry(): void {
    this.#isHurried = false
  }

  async run(): Promise<void> {
    const { ctx, cluster, pending } = this.#parts
    // From here on new orders are kept in memory again. The backfill makes the receipts of orders that arrive while it
    // runs.
    this.#isHurried ||= pending.hasOverflowed
    pending.keepAgain()
    if (cluster !== null && !cluster.runsBackfill()) {
      this.#end()
      if (this.#schedule.isWithOthers(ctx.now())) this.#backfill.leave()
      return
    }
    this.#isDue = true
    const begunAt = ctx.now()
    const tookMs = await this.#search()
    this.#end()
    if (tookMs === null) return
    this.#schedule.complete(tookMs)
    if (this.#schedule.hasYounger(begunAt, this.#othersMs)) this.#repeatLater()
  }

  #end(): void {
    this.#isDue = false
    this.#isHurried = false
  }

  /** Returns the duration without pauses; null when a stop ended the search early. */
  async #search(): Promise<number | null> {
    const { ctx, pending, isStopping } = this.#parts
    let pageAt = ctx.now()
    let tookMs = 0
    const afterPage = async (): Promise<boolean> => {
      const pageTookMs = ctx.now() - pageAt
      tookMs += pageTookMs
      await this.#rest(REST_FACTOR * pageTookMs)
      pageAt = ctx.now()
      return !isStopping()
    }
    const isDone = await this.#backfill.run(() => pending.orderIds(), afterPage)
    return isDone ? tookMs : null
  }

  async #rest(ms: number): Promise<void> {
    const { ctx, pending, maker, isStopping } = this.#parts
    const until = ctx.now() + ms
    while (pending.hasFullTree) await maker.makeNext()
    const mayRest = () => !this.#isHurried && !isStopping() && ctx.now() < until
    while (mayRest()) {
      await this.#pause.sleep(Math.min(MAX_SLEEP_MS, until - ctx.now()))
      await maker.makeNext()
    }
  }

  /**
   * Plans another backfill, because this one skipped the newest orders, for which another server might still have been
   * making receipts.
   */
  #repeatLater(): void {
    this.#cancelRepeat ??= this.#parts.ctx.clock.after(this.#othersMs, () => {
      this.#cancelRepeat = null
      this.#isDue = true
      this.#parts.onDue()
    })
  }
}
