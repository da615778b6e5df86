import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { Ctx } from '#server/platform/context/context.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { Committed } from '#server/trading/engine/committed-batch.ts'
import type { ClosedOrder } from '#server/trading/engine/settle.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { createNap } from '#server/platform/concurrency/cancellable-sleep.ts'
import { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import { leavesOf, leavesOfEnded, leavesOfTaken } from '#server/proof/receipts/leaves.ts'
import { makeTrees } from '#server/proof/receipts/make-trees.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import type { ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'
import { createSweep, PAGES } from '#server/proof/receipts/backfill.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

export interface ReceiptMaker {
  /** Queues the receipts of orders that were just accepted or settled. Returns immediately. */
  made(committed: Committed): void
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
  readonly mostWaiting?: number
  /** Orders that the backfill reads per statement. */
  readonly pages?: typeof PAGES
  /**
   * Set when several servers share the database. Each makes the receipts of its own commits, and `makesUp` returns
   * whether this one runs the backfill.
   */
  readonly among?: { makesUp(): boolean } | null
}

const MOST_IN_TREE = 2_000
/** 250 ms. Orders of this time share one tree, because a tree of its own costs as much as a hundred receipts. */
const GATHER_MS = 250
/** About 40 MB. Further orders are not kept in memory. The backfill finds them by their rows. */
const MOST_WAITING = 50_000
const RETRY_MS = 1_000
const SWEEP_MS = 60_000
/**
 * The pause after a backfill, as a multiple of its duration. Each backfill reads the last minutes again, at the expense
 * of other work.
 */
const SWEEP_REST_FACTOR = 20
/** Half of the ten minutes that a backfill looks back after a start. */
const MOST_SWEEP_PAUSE_MS = 5 * SWEEP_MS
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
export function createReceiptMaker(
  ctx: Ctx,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  key: SigningKeyPair,
  { mostWaiting = MOST_WAITING, pages = PAGES, among = null }: ReceiptOptions = {},
): ReceiptMaker {
  const heads = new KnownHeads()
  let taken: PlannedOrder[] = []
  let ended: ClosedOrder[] = []
  let isTooMuch = false
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
  const nap = createNap(ctx.clock)
  let hasFailed = false
  let cancelTimer: (() => void) | null = null
  let stopSweeping: (() => Promise<void>) | null = null
  let cancelSweep: (() => void) | null = null

  const makeAgain = async (kind: ReceiptKind, keys: readonly OrderKey[]): Promise<void> => {
    await makeTrees(ctx, key, kind, await leavesOf(ctx.db, catalogue, kind, keys))
    await untilOthersRan()
  }
  const othersMs = among === null ? 0 : OTHERS_MS
  const sweep = createSweep(ctx, makeAgain, { othersMs, pages })
  const waiting = () => taken.length + ended.length
  /** Orders beyond the limit are searched only after all queued receipts are made. */
  const hasFullTree = () => waiting() >= (isTooMuch ? 1 : MOST_IN_TREE)
  const hasWork = () => waiting() > 0 || isTooMuch || isSweepDue

  function wake(): void {
    if (waiting() >= MOST_IN_TREE) nap.end()
    if (running !== null || !hasWork()) return
    if (waiting() >= MOST_IN_TREE && !hasFailed) void run()
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
      if (isTooMuch || isSweepDue) await sweepNow()
      hasFailed = false
    } catch (error) {
      hasFailed = true
      ctx.log.error({ err: error, orders: waiting() }, 'cannot make receipts; the next attempt follows')
    }
  }

  async function makeNext(): Promise<void> {
    await untilOthersRan()
    // While one of them waits for the database, the other computes.
    const both = await Promise.allSettled([makeOfTaken(), makeOfEnded()])
    for (const one of both) if (one.status === 'rejected') throw one.reason
  }

  async function makeOfTaken(): Promise<void> {
    const orders = taken.slice(0, MOST_IN_TREE)
    await makeTrees(ctx, key, 'accepted', leavesOfTaken(catalogue, heads, orders), waiting())
    taken.splice(0, orders.length)
  }

  async function makeOfEnded(): Promise<void> {
    const orders = ended.slice(0, MOST_IN_TREE)
    await makeTrees(ctx, key, 'result', await leavesOfEnded(ctx.db, catalogue, heads, orders), waiting())
    ended.splice(0, orders.length)
  }

  async function sweepNow(): Promise<void> {
    // From here on new orders are kept in memory again. Orders that arrive during the backfill are made by it.
    isHurried ||= isTooMuch
    isTooMuch = false
    if (among !== null && !among.makesUp()) {
      isSweepDue = false
      isHurried = false
      if (hasSwept || ctx.now() - startedAt >= OTHERS_SWEEP_AFTER_MS) sweep.leave()
      return
    }
    isSweepDue = true
    const begunAt = ctx.now()
    let pageAt = begunAt
    let tookMs = 0
    const isDone = await sweep.run(
      () => ({
        accepted: new Set(taken.map(({ orderId }) => orderId)),
        result: new Set(ended.map(({ order }) => order.orderId)),
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
    while (waiting() >= MOST_IN_TREE) await makeNext()
    const mayRest = () => !isHurried && !isStopping && ctx.now() < until
    while (mayRest()) {
      await nap.take(Math.min(GATHER_MS, until - ctx.now()))
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

  function keep(committed: Committed): void {
    if (!isTooMuch && waiting() + committed.orders.length > mostWaiting) {
      isTooMuch = true
      hurry()
      ctx.log.warn({ orders: waiting() }, 'too many orders wait for receipts; further ones are read from the database')
    }
    if (isTooMuch) leftAt = ctx.now()
    else if (committed.kind === 'accepted') taken.push(...committed.orders)
    else ended.push(...committed.orders)
  }

  function sweepPauseMs(): number {
    const isOthers = !hasSwept && ctx.now() - startedAt < OTHERS_SWEEP_AFTER_MS
    if (isOthers) return FIRST_SWEEP_MS
    return Math.min(Math.max(SWEEP_MS, SWEEP_REST_FACTOR * sweepTookMs), MOST_SWEEP_PAUSE_MS)
  }

  const canGoOn = () => hasWork() && !hasFailed

  function hurry(): void {
    isHurried = true
    nap.end()
  }

  async function finish(): Promise<void> {
    hurry()
    do await run()
    while (canGoOn())
    isHurried = false
  }

  return {
    made(committed) {
      keep(committed)
      wake()
    },
    async start() {
      startedAt = ctx.now()
      await sweep.note()
      isHurried = true
      await sweepNow()
      stopSweeping = repeat(ctx, {
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
      nap.end()
      await stopSweeping?.()
      await finish()
      cancelTimer?.()
      cancelSweep?.()
    },
    waiting,
    pressure: () => (2 * waiting()) / mostWaiting - 1,
    idle: finish,
  }
}
