import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import type { PlannedOrder } from '#server/engine/accept.queries.ts'
import type { Committed } from '#server/engine/committed.ts'
import type { ClosedOrder } from '#server/engine/settle.queries.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import { KnownHeads } from '#server/receipts/known-heads.ts'
import { leavesOf, leavesOfEnded, leavesOfTaken } from '#server/receipts/leaves.ts'
import { makeTrees } from '#server/receipts/make-trees.ts'
import type { OrderKey } from '#server/receipts/order-rows.queries.ts'
import type { ReceiptKind } from '#server/receipts/receipt-batch.queries.ts'
import { createSweep } from '#server/receipts/sweep.ts'
import type { SigningKeyPair } from '#server/receipts/signing-key.ts'
import { repeat } from '#server/repeat.ts'

export interface ReceiptMaker {
  /** These orders were just taken, or settled. Returns at once. */
  made(committed: Committed): void
  start(): Promise<void>
  /** Makes what waits. */
  stop(): Promise<void>
  /** Orders that wait for theirs. */
  waiting(): number
  /** Everything that was told has its receipt: whatever waits is made now. */
  idle(): Promise<void>
}

export interface ReceiptOptions {
  readonly mostWaiting?: number
  /** Where several servers make receipts of what each of them commits: whether it is this one that makes up for all. */
  readonly among?: { makesUp(): boolean } | null
}

const MOST_IN_TREE = 1_000
/** What comes in such a while goes into one tree: a tree by itself costs as much as a hundred receipts. */
const GATHER_MS = 250
/** Of orders beyond this nothing is kept but that there are some: they are found by their rows. Some forty megabytes. */
const MOST_WAITING = 50_000
const RETRY_MS = 1_000
const SWEEP_MS = 60_000
/** Looking for orders without a receipt may take at most this share of the time: it rests fifty times as long as it took. */
const REST_FACTOR = 50
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
  { mostWaiting = MOST_WAITING, among = null }: ReceiptOptions = {},
): ReceiptMaker {
  const heads = new KnownHeads()
  let taken: PlannedOrder[] = []
  let ended: ClosedOrder[] = []
  let isTooMuch = false
  let isSweepDue = false
  let hasSwept = false
  let startedAt = ctx.now()
  let sweepTookMs = 0
  /** When an order was last left to be read back. */
  let leftAt: number | null = null
  let running: Promise<void> | null = null
  let hasFailed = false
  let cancelTimer: (() => void) | null = null
  let stopSweeping: (() => Promise<void>) | null = null
  let cancelSweep: (() => void) | null = null

  const makeAgain = async (kind: ReceiptKind, keys: readonly OrderKey[]): Promise<void> => {
    await makeTrees(ctx, key, kind, await leavesOf(ctx.db, catalogue, kind, keys))
    await untilOthersRan()
  }
  const othersMs = among === null ? 0 : OTHERS_MS
  const sweep = createSweep(ctx, makeAgain, { othersMs })
  const waiting = () => taken.length + ended.length
  /** What was too much is looked for only after all before it was made. */
  const hasFullTree = () => waiting() >= (isTooMuch ? 1 : MOST_IN_TREE)
  const hasWork = () => waiting() > 0 || isTooMuch || isSweepDue

  function wake(): void {
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
    await makeOfTaken()
    await makeOfEnded()
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
    isTooMuch = false
    if (among !== null && !among.makesUp()) {
      isSweepDue = false
      if (hasSwept || ctx.now() - startedAt >= OTHERS_SWEEP_AFTER_MS) sweep.leave()
      return
    }
    isSweepDue = true
    const begunAt = ctx.now()
    await sweep.run(
      () => ({
        accepted: new Set(taken.map(({ orderId }) => orderId)),
        result: new Set(ended.map(({ order }) => order.orderId)),
      }),
      async () => {
        while (waiting() >= MOST_IN_TREE) await makeNext()
      },
    )
    sweepTookMs = ctx.now() - begunAt
    isSweepDue = false
    hasSwept = true
    sweepAgainForLast(begunAt)
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
      ctx.log.warn({ orders: waiting() }, 'too many orders wait for their receipts: the next ones are read back')
    }
    if (isTooMuch) leftAt = ctx.now()
    else if (committed.kind === 'accepted') taken.push(...committed.orders)
    else ended.push(...committed.orders)
  }

  function sweepPauseMs(): number {
    const isOthers = !hasSwept && ctx.now() - startedAt < OTHERS_SWEEP_AFTER_MS
    return isOthers ? FIRST_SWEEP_MS : Math.max(SWEEP_MS, REST_FACTOR * sweepTookMs)
  }

  const canGoOn = () => hasWork() && !hasFailed

  async function finish(): Promise<void> {
    do await run()
    while (canGoOn())
  }

  return {
    made(committed) {
      keep(committed)
      wake()
    },
    async start() {
      startedAt = ctx.now()
      await sweep.note()
      await sweepNow()
      stopSweeping = repeat(ctx, {
        pauseMs: sweepPauseMs,
        run: async () => {
          isSweepDue = true
          await finish()
        },
        failure: 'orders without a receipt could not be looked up',
      })
    },
    async stop() {
      await stopSweeping?.()
      await finish()
      cancelTimer?.()
      cancelSweep?.()
    },
    waiting,
    idle: finish,
  }
}
