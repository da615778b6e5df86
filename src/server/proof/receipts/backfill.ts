import type { Ctx } from '#server/platform/context/context.ts'
import { inBatches } from '#server/platform/concurrency/chunk.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import {
  BATCH_SPAN_MS,
  beforeAllOf,
  type OrderPlace,
  type ReceiptKind,
  sweepPage,
  sweepStart,
  type SweptOrders,
} from '#server/proof/receipts/receipt-batch.queries.ts'

const KINDS: readonly ReceiptKind[] = ['accepted', 'result']
/** What is looked through for each kind. Open orders first: one that ends meanwhile is among those that have ended. */
export const SWEPT: Readonly<Record<ReceiptKind, readonly SweptOrders[]>> = {
  accepted: ['open', 'ended'],
  result: ['results'],
}
/** Orders that are looked at by one statement: some fifty milliseconds of it. For each page of open ones all of them are read. */
export const PAGES: Readonly<Record<SweptOrders, number>> = { open: 50_000, ended: 10_000, results: 10_000 }
const AT_ONCE = 500

type Make = (kind: ReceiptKind, keys: readonly OrderKey[]) => Promise<void>
type Between = () => Promise<boolean>
type OnTheirWay = () => Readonly<Record<ReceiptKind, ReadonlySet<string>>>

export interface Sweep {
  /** Notes where it has to begin, before any newer receipt is made: what was left without one lies before those. */
  note(): Promise<void>
  /** Somebody else sweeps meanwhile. */
  leave(): void
  /**
   * Makes the receipts of all orders that have none, but of those that are on their way anyway. It may take long, so
   * `between` has its turn after each page, and says whether to go on. Answers whether all were looked at.
   */
  run(onTheirWay: OnTheirWay, between: Between): Promise<boolean>
}

/**
 * Finds orders without a receipt, whatever left them without. It looks on from where everything was found the last time,
 * however new the receipts are that were made since: they hide nothing from it. `othersMs`: younger orders may be on
 * their way on another server.
 */
export function createSweep(ctx: Ctx, make: Make, { othersMs = 0, pages = PAGES } = {}): Sweep {
  const since: Record<ReceiptKind, number | null> = { accepted: null, result: null }

  async function makeForgotten(
    kind: ReceiptKind,
    missing: readonly OrderKey[],
    known: ReadonlySet<string>,
  ): Promise<void> {
    const forgotten = missing.filter(({ orderId }) => !known.has(orderId))
    for (const some of inBatches(forgotten, AT_ONCE)) await make(kind, some)
  }

  async function sweepKind(kind: ReceiptKind, onTheirWay: OnTheirWay, between: Between): Promise<boolean> {
    const start = (since[kind] ??= await sweepStart(ctx.db, kind))
    // What is committed from now on is told, or is looked for the next time.
    const until = ctx.now() - othersMs
    for (const orders of SWEPT[kind]) {
      const limit = pages[orders]
      for (let after: OrderPlace | null = beforeAllOf(start); after !== null; ) {
        const { missing, last } = await sweepPage(ctx.db, orders, { after, until, limit })
        // Nearly always none is: then nobody has to say which are on their way.
        if (missing.length > 0) await makeForgotten(kind, missing, onTheirWay()[kind])
        if (last !== null && !(await between())) return false
        after = last
      }
    }
    since[kind] = until - 2 * BATCH_SPAN_MS
    return true
  }

  return {
    async note() {
      for (const kind of KINDS) since[kind] ??= await sweepStart(ctx.db, kind)
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
