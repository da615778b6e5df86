import type { Ctx } from '#server/platform/context/context.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import {
  BATCH_SPAN_MS,
  beforeAllOf,
  type OrderPlace,
  type ReceiptKind,
  sweepPage,
  sweepStart,
  type BackfillSource,
} from '#server/proof/receipts/receipt-batch.queries.ts'

const KINDS: readonly ReceiptKind[] = ['accepted', 'result', 'money']
/**
 * The tables that the backfill searches for each kind of receipt. Open orders come first: if an order is settled in
 * between, the backfill finds it among the settled orders.
 */
export const BACKFILL_SOURCES: Readonly<Record<ReceiptKind, readonly BackfillSource[]>> = {
  accepted: ['open', 'ended'],
  result: ['results'],
  money: ['steps'],
}
/** Orders that one statement reads, chosen to take about 50 ms. Each page of open orders reads all open orders. */
export const PAGES: Readonly<Record<BackfillSource, number>> = {
  open: 50_000,
  ended: 10_000,
  results: 10_000,
  steps: 10_000,
}
const AT_ONCE = 500

type Make = (kind: ReceiptKind, keys: readonly OrderKey[]) => Promise<void>
type Between = () => Promise<boolean>
type OnTheirWay = () => Readonly<Record<ReceiptKind, ReadonlySet<string>>>

export interface Backfill {
  /**
   * Records from which time the search must start. Call it before making any newer receipt, because missing receipts
   * are older.
   */
  note(): Promise<void>
  /** Forgets how far this server has searched, because another server does it. */
  leave(): void
  /**
   * Makes the receipts of all orders that have none, except orders whose receipt is already being made.
   * The run may take long, so it calls `between` after each page, which returns whether to continue. Returns whether
   * all orders were searched.
   */
  run(onTheirWay: OnTheirWay, between: Between): Promise<boolean>
}

/**
 * Creates the backfill, which finds orders without a receipt, for whatever reason. Each run starts where the last
 * complete run ended. It also finds a missing receipt that is older than existing receipts. `othersMs`: another server
 * may still be making the receipts of orders that are younger than this.
 */
export function createBackfill(ctx: Ctx, make: Make, { othersMs = 0, pages = PAGES } = {}): Backfill {
  const since: Record<ReceiptKind, number | null> = { accepted: null, result: null, money: null }

  async function makeForgotten(
    kind: ReceiptKind,
    missing: readonly OrderKey[],
    known: ReadonlySet<string>,
  ): Promise<void> {
    const forgotten = missing.filter(({ orderId }) => !known.has(orderId))
    for (const some of chunk(forgotten, AT_ONCE)) await make(kind, some)
  }

  async function sweepKind(kind: ReceiptKind, onTheirWay: OnTheirWay, between: Between): Promise<boolean> {
    // After the clock was set back, the last run may have ended in the future, and orders have been accepted since then.
    if ((since[kind] ?? 0) > ctx.now()) since[kind] = null
    const start = (since[kind] ??= await sweepStart(ctx.db, kind, ctx.now()))
    // The engine passes later orders to this server's receipt worker, or the next run finds them.
    const until = ctx.now() - othersMs
    for (const orders of BACKFILL_SOURCES[kind]) {
      const limit = pages[orders]
      for (let after: OrderPlace | null = beforeAllOf(start); after !== null; ) {
        const { missing, last } = await sweepPage(ctx.db, orders, { after, until, limit })
        // Usually no receipt is missing, so the list of receipts that are being made is built only on demand.
        if (missing.length > 0) await makeForgotten(kind, missing, onTheirWay()[kind])
        if (last !== null && !(await between())) return false
        after = last
      }
    }
    since[kind] = kind === 'money' ? null : until - 2 * BATCH_SPAN_MS
    return true
  }

  return {
    async note() {
      for (const kind of KINDS) since[kind] ??= await sweepStart(ctx.db, kind, ctx.now())
    },
    leave() {
      for (const kind of KINDS) since[kind] = null
    },
    async run(onTheirWay, between) {
      for (const kind of KINDS) if (!(await sweepKind(kind, onTheirWay, between))) return false
      return true
    },
  }
}
