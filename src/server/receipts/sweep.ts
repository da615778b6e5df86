import type { Ctx } from '#server/context.ts'
import type { OrderKey } from '#server/receipts/order-rows.queries.ts'
import { ordersWithoutReceipt, type ReceiptKind, sweepStart } from '#server/receipts/receipt-batch.queries.ts'

const KINDS: readonly ReceiptKind[] = ['accepted', 'result']
const PAGE = 10_000
const AT_ONCE = 500

type Make = (kind: ReceiptKind, keys: readonly OrderKey[]) => Promise<void>
type OnTheirWay = () => Readonly<Record<ReceiptKind, ReadonlySet<string>>>

/**
 * Makes the receipts of all orders that have none, whatever left them without, but of those that are on their way anyway.
 * `othersMs`: younger ones may be on their way on another server. A sweep that fails goes on where it began when it is called again: receipts that are newer hide nothing from it.
 */
export function createSweep(ctx: Ctx, make: Make, { othersMs = 0 } = {}): (onTheirWay: OnTheirWay) => Promise<void> {
  const since: Record<ReceiptKind, number | null> = { accepted: null, result: null }

  async function sweepKind(kind: ReceiptKind, onTheirWay: OnTheirWay): Promise<void> {
    const start = (since[kind] ??= await sweepStart(ctx.db, kind))
    for (;;) {
      const until = ctx.now() - othersMs
      const missing = await ordersWithoutReceipt(ctx.db, kind, { since: start, until, limit: PAGE })
      const known = onTheirWay()[kind]
      const forgotten = missing.filter(({ orderId }) => !known.has(orderId))
      for (let at = 0; at < forgotten.length; at += AT_ONCE) await make(kind, forgotten.slice(at, at + AT_ONCE))
      if (missing.length < PAGE || forgotten.length === 0) break
    }
    since[kind] = null
  }

  return async (onTheirWay) => {
    for (const kind of KINDS) await sweepKind(kind, onTheirWay)
  }
}
