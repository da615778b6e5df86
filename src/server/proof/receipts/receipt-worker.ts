import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { Ctx } from '#server/platform/context/context.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { ClosedOrder } from '#server/trading/engine/settle.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { createCancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'
import { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import { leavesOf, settledLeaves, acceptedLeaves } from '#server/proof/receipts/leaves.ts'
import { makeTrees } from '#server/proof/receipts/make-trees.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import type { ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'
import { createBackfill, PAGES } from '#server/proof/receipts/backfill.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

export interface ReceiptWorker {
  /** Queues the receipts of orders that were just accepted or settled. Returns immediately. */
  enqueue(committed: CommittedBatch): void
  start(): Promise<void>
  /** Makes the receipts of all queued orders. A running backfill is left to the next start. */
  stop(): Promise<void>
  /** The number of orders that wait for their receipt. */
  waiting(): number
  /** 0 while the queue is at most half full, rising to 1 when no more orders are kept. */
  pressure(): number
  /** Makes all queued receipts now. Resolves when every announced order has its receipt. */
  idle(): Promise<void>
}

export interface ReceiptOptions {
  readonly maxWaitingOrders?: number
  /** Orders that the backfill reads per statement. */
  readonly pages?: typeof PAGES
  /**
   * Set when several servers share the database. Each makes the receipts of its own commits, and `runsBackfill` returns
   * whether this one runs the backfill.
   */
  readonly cluster?: { runsBackfill(): boolean } | null
}

const MAX_LEAVES_PER_TREE = 2_000
/** 250 ms. Orders of this time share one tree, because a tree of its own costs as much as a hundred receipts. */
const GATHER_MS = 250
/** About 40 MB. Further orders are not kept in memory. The backfill finds them by their rows. */
const MAX_WAITING_ORDERS = 50_000
const RETRY_MS = 1_000
const SWEEP_MS = 60_000
/**
 * The pause after a backfill, as a multiple of its duration. Each backfill reads the last minutes again, at the expense
 * of other work.
 */
const SWEEP_REST_FACTOR = 20
/** Half of the ten minutes that a backfill looks back after a start. */
const MAX_BACKFILL_PAUSE_MS = 5 * SWEEP_MS
/**
 * The rest after each page of the backfill, as a multiple of the page's duration.
 * A factor of 4 uses a fifth of a core and keeps up with as many orders as two cores accept. Larger pages with longer
 * rests would fall behind, because new orders keep arriving.
 */
const REST_FACTOR = 4
/** Used until the cluster has chosen the server that runs the backfill. */
const FIRST_SWEEP_MS = 2_000
/** By then another server runs the backfill. */
const OTHERS_SWEEP_AFTER_MS = 5 * SWEEP_MS
/** 10 s. After this time another server no longer makes the receipts of its orders. */
const OTHERS_MS = 10_000

/**
 * Makes receipts right after each commit, from the engine's memory and without delaying other work.
 * The backfill finds orders that were not announced or exceeded the limit: at the start, every minute, and after each
 * overflow.
 */
export function createReceiptWorker(
  ctx: Ctx,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  key: SigningKeyPair,
  { maxWaitingOrders = MAX_WAITING_ORDERS, pages = PAGES, cluster = null }: ReceiptOptions = {},
): ReceiptWorker {
  const heads = new KnownHeads()
  let acceptedOrders: PlannedOrder[] = []
  let settledOrders: ClosedOrder[] = []
  let hasOverflowed = false
  let isSweepDue = false
  let hasSwept = false
  /** The duration of the last backfill, without its rests. */
  let sweepTookMs = 0
  let startedAt = ctx.now()
  /** When an order was last left to the backfill. */
  let leftAt: number | null = null
  let running: Promise<void> | null = null
  /** Whether a caller waits for the backfill. Then it does not rest. */
  let isHurried = false
  let isStopping = false
  const pause = createCancellableSleep(ctx.clock)
  let hasFailed = false
  let cancelTimer: (() => void) | null = null
  let stopSweeping: (() => Promise<void>) | null = null
  let cancelSweep: (() => void) | null = null

  const makeAgain = async (kind: ReceiptKind, keys: readonly OrderKey[]): Promise<void> => {
    await makeTrees(ctx, key, kind, await leavesOf(ctx.db, catalogue, kind, keys))
    await untilOthersRan()
  }
  const othersMs = cluster === null ? 0 : OTHERS_MS
  const backfill = createBackfill(ctx, makeAgain, { othersMs, pages })
  const waiting = () => acceptedOrders.length + settledOrders.length
  /** Orders beyond the limit are searched only after all queued receipts are made. */
  const hasFullTree = () => waiting() >= (hasOverflowed ? 1 : MAX_LEAVES_PER_TREE)
  const hasWork = () => waiting() > 0 || hasOverflowed || isSweepDue

  function wake(): void {
    if (waiting() >= MAX_LEAVES_PER_TREE) pause.wake()
    if (running !== null || !hasWork()) return
    if (waiting() >= MAX_LEAVES_PER_TREE && !hasFailed) void run()
    else cancelTimer ??= ctx.clock.after(hasFailed ? RETRY_MS : GATHER_MS, () => void run())
  }

  function run(): Promise<void> {
    cancelTimer?.()
    cancelTimer = null
    running ??= work().finally(() => {
      running = null
      wake()
    })
    return running
  }

  async function work(): Promise<void> {
    try {
      do {
        // Yields first, so that the engine sends its next statement before this work starts.
        await makeNext()
      } while (hasFullTree())
      if (hasOverflowed || isSweepDue) await sweepNow()
      hasFailed = false
    } catch (error) {
      hasFailed = true
      ctx.log.error({ err: error, orders: waiting() }, 'cannot make receipts; the next attempt follows')
    }
  }

  async function makeNext(): Promise<void> {
    await untilOthersRan()
    // While one of them waits for the database, the other computes.
    const both = await Promise.allSettled([makeAcceptedReceipts(), makeResultReceipts()])
    for (const one of both) if (one.status === 'rejected') throw one.reason
  }

  async function makeAcceptedReceipts(): Promise<void> {
    const orders = acceptedOrders.slice(0, MAX_LEAVES_PER_TREE)
    await makeTrees(ctx, key, 'accepted', acceptedLeaves(catalogue, heads, orders), waiting())
    acceptedOrders.splice(0, orders.length)
  }

  async function makeResultReceipts(): Promise<void> {
    const orders = settledOrders.slice(0, MAX_LEAVES_PER_TREE)
    await makeTrees(ctx, key, 'result', await settledLeaves(ctx.db, catalogue, heads, orders), waiting())
    settledOrders.splice(0, orders.length)
  }

  async function sweepNow(): Promise<void> {
    // From here on new orders are kept in memory again. Orders that arrive during the backfill are made by it.
    isHurried ||= hasOverflowed
    hasOverflowed = false
    if (cluster !== null && !cluster.runsBackfill()) {
      isSweepDue = false
      isHurried = false
      if (hasSwept || ctx.now() - startedAt >= OTHERS_SWEEP_AFTER_MS) backfill.leave()
      return
    }
    isSweepDue = true
    const begunAt = ctx.now()
    let pageAt = begunAt
    let tookMs = 0
    const isDone = await backfill.run(
      () => ({
        accepted: new Set(acceptedOrders.map(({ orderId }) => orderId)),
        result: new Set(settledOrders.map(({ order }) => order.orderId)),
      }),
      async () => {
        const pageTookMs = ctx.now() - pageAt
        tookMs += pageTookMs
        await rest(REST_FACTOR * pageTookMs)
        pageAt = ctx.now()
        return !isStopping
      },
    )
    isSweepDue = false
    isHurried = false
    if (!isDone) return
    hasSwept = true
    sweepTookMs = tookMs
    sweepAgainForLast(begunAt)
  }

  /** Rests between pages, and makes new receipts during the rest. */
  async function rest(ms: number): Promise<void> {
    const until = ctx.now() + ms
    while (waiting() >= MAX_LEAVES_PER_TREE) await makeNext()
    const mayRest = () => !isHurried && !isStopping && ctx.now() < until
    while (mayRest()) {
      await pause.sleep(Math.min(GATHER_MS, until - ctx.now()))
      await makeNext()
    }
  }

  /** Schedules another backfill, because another server might still have been making the newest receipts. */
  function sweepAgainForLast(begunAt: number): void {
    if (othersMs === 0 || leftAt === null || leftAt < begunAt - othersMs) return
    cancelSweep ??= ctx.clock.after(othersMs, () => {
      cancelSweep = null
      isSweepDue = true
      wake()
    })
  }

  function buffer(committed: CommittedBatch): void {
    if (!hasOverflowed && waiting() + committed.orders.length > maxWaitingOrders) {
      hasOverflowed = true
      expedite()
      ctx.log.warn({ orders: waiting() }, 'too many orders wait for receipts; further ones are read from the database')
    }
    if (hasOverflowed) leftAt = ctx.now()
    else if (committed.kind === 'accepted') acceptedOrders.push(...committed.orders)
    else settledOrders.push(...committed.orders)
  }

  function sweepPauseMs(): number {
    const isOthers = !hasSwept && ctx.now() - startedAt < OTHERS_SWEEP_AFTER_MS
    if (isOthers) return FIRST_SWEEP_MS
    return Math.min(Math.max(SWEEP_MS, SWEEP_REST_FACTOR * sweepTookMs), MAX_BACKFILL_PAUSE_MS)
  }

  const canGoOn = () => hasWork() && !hasFailed

  function expedite(): void {
    isHurried = true
    pause.wake()
  }

  async function finish(): Promise<void> {
    expedite()
    do await run()
    while (canGoOn())
    isHurried = false
  }

  return {
    enqueue(committed) {
      buffer(committed)
      wake()
    },
    async start() {
      startedAt = ctx.now()
      await backfill.note()
      isHurried = true
      await sweepNow()
      stopSweeping = runPeriodically(ctx, {
        pauseMs: sweepPauseMs,
        run: async () => {
          isSweepDue = true
          await run()
        },
        failure: 'cannot search for orders without a receipt',
      })
    },
    async stop() {
      // The next start makes receipts that no caller has asked for yet.
      isStopping = true
      pause.wake()
      await stopSweeping?.()
      await finish()
      cancelTimer?.()
      cancelSweep?.()
    },
    waiting,
    pressure: () => (2 * waiting()) / maxWaitingOrders - 1,
    idle: finish,
  }
}
