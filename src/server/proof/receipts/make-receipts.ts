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
  /** These orders were just taken, or settled. Returns at once. */
  made(committed: Committed): void
  start(): Promise<void>
  /** Makes what waits; a search for what was forgotten is left to the next start. */
  stop(): Promise<void>
  /** Orders that wait for theirs. */
  waiting(): number
  /** From half of as many as may wait on it rises from 0; at 1 no more are kept. */
  pressure(): number
  /** Everything that was told has its receipt: whatever waits is made now. */
  idle(): Promise<void>
}

export interface ReceiptOptions {
  readonly mostWaiting?: number
  /** Orders that the search for those without a receipt looks at by one statement. */
  readonly pages?: typeof PAGES
  /** Where several servers make receipts of what each of them commits: whether it is this one that makes up for all. */
  readonly among?: { makesUp(): boolean } | null
}

const MOST_IN_TREE = 2_000
/** What comes in such a while goes into one tree: a tree by itself costs as much as a hundred receipts. */
const GATHER_MS = 250
/** Of orders beyond this nothing is kept but that there are some: they are found by their rows. Some forty megabytes. */
const MOST_WAITING = 50_000
const RETRY_MS = 1_000
const SWEEP_MS = 60_000
/** After a sweep of many orders it rests longer: each looks once more at the last minutes before it, and all of it costs others' time. */
const SWEEP_REST_FACTOR = 20
/** A start looks back for ten minutes. */
const MOST_SWEEP_PAUSE_MS = 5 * SWEEP_MS
/**
 * While it looks for orders without a receipt it rests four times as long as each page took: a fifth of a core for a while,
 * and fast enough for as many orders as two cores can take. To look at more at a time and rest longer afterwards would leave
 * more and more for each time, as orders come meanwhile.
 */
const REST_FACTOR = 4
/** Until it is known who makes up for all. */
const FIRST_SWEEP_MS = 2_000
/** By then somebody else does. */
const OTHERS_SWEEP_AFTER_MS = 5 * SWEEP_MS
/** What another server has not made of its orders after so long, it will not make any more. */
const OTHERS_MS = 10_000

/**
 * Makes receipts right after the commit, of what the engine had in memory, and outside of everybody's way. What was not
 * told, or was too much, is found by its rows: at the start, each minute, and whenever it was too much.
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
  /** Of the last sweep, without its rests. */
  let sweepTookMs = 0
  let startedAt = ctx.now()
  /** When an order was last left to be read back. */
  let leftAt: number | null = null
  let running: Promise<void> | null = null
  /** Somebody waits for the sweep: it does not rest. */
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
  /** What was too much is looked for only after all before it was made. */
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
        // The engine first: its next statement is on its way before anything is made of the last one.
        await makeNext()
      } while (hasFullTree())
      if (isTooMuch || isSweepDue) await sweepNow()
      hasFailed = false
    } catch (error) {
      hasFailed = true
      ctx.log.error({ err: error, orders: waiting() }, 'receipts could not be made and will be tried again')
    }
  }

  async function makeNext(): Promise<void> {
    await untilOthersRan()
    // One waits for the database while the other is made.
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
    // From here on orders are kept again; those that come meanwhile are left to us.
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

  /** Makes what comes meanwhile, as at any other time. */
  async function rest(ms: number): Promise<void> {
    const until = ctx.now() + ms
    while (waiting() >= MOST_IN_TREE) await makeNext()
    const mayRest = () => !isHurried && !isStopping && ctx.now() < until
    while (mayRest()) {
      await nap.take(Math.min(GATHER_MS, until - ctx.now()))
      await makeNext()
    }
  }

  /** What was left just before might have been another server's for all that the sweep knew. */
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
      ctx.log.warn({ orders: waiting() }, 'too many orders wait for their receipts: the next ones are read back')
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
        failure: 'orders without a receipt could not be looked up',
      })
    },
    async stop() {
      // What nobody has missed yet can wait for the next start.
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
