import type { Tick } from '#core/markets/tick.ts'
import { RULE_VERSION } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import type { TickFacts } from '#core/proof/receipt-facts.ts'
import type { PlannedOrder } from '#server/engine/accept.queries.ts'
import type { ClosedOrder } from '#server/engine/settle.queries.ts'
import type { KnownHeads } from '#server/receipts/known-heads.ts'
import type { EndedOrder, TakenOrder } from '#server/receipts/order-facts.ts'

/** An order that was just taken, as its row says it. */
export function takenNow(order: PlannedOrder, headHash: string): TakenOrder & { symbolId: number } {
  const { symbol, terms, entry, openedAt, expiresAt } = order.placement
  return {
    userId: order.userId,
    orderId: order.orderId,
    trx: order.trx,
    symbolId: symbol.id,
    direction: order.direction,
    stake: order.stake,
    payoutBp: Number(terms.payout),
    ruleVersion: RULE_VERSION,
    openedMs: openedAt,
    expiresMs: expiresAt,
    entry: tickFacts(entry),
    head: { q: order.head.lastSeq, hash: headHash },
  }
}

/**
 * An order that was just settled, as its rows say it; null when its price has to be read, or when it is from before
 * there were receipts.
 */
export function endedNow(
  { order, due, settledAt, price }: ClosedOrder,
  hashes: ReadonlyMap<number, string>,
  heads: KnownHeads,
): (EndedOrder & { symbolId: number }) | null {
  if (price === null || due.headSeq === null) return null
  const hash = hashes.get(due.headSeq)
  assert(hash !== undefined, `the tick log has a batch that ends at ${due.headSeq}`)
  return {
    userId: order.userId,
    orderId: order.orderId,
    trx: order.trx,
    symbolId: order.symbolId,
    direction: order.direction,
    stake: order.stake,
    payoutBp: Number(due.facts.payout),
    ruleVersion: due.ruleVersion,
    openedMs: due.openedAt,
    expiresMs: due.facts.expiresAt,
    entry: { q: due.entrySeq, price: Number(order.entryPrice), time_ms: due.entryTime },
    head: { q: due.headSeq, hash },
    settledMs: settledAt,
    result: order.result,
    voidReason: price.voidReason,
    maxTickAgeMs: price.maxTickAgeMs,
    exit: price.exit === null ? null : tickFacts(price.exit),
    next: price.next === null ? null : tickFacts(price.next),
    watermarkMs: price.watermark ?? 0,
    decidedMs: price.decidedAt,
    decidedHead: { q: price.head.lastSeq, hash: heads.hashOf(price.head) },
  }
}

function tickFacts({ seq, price, time }: Tick): TickFacts {
  return { q: seq, price: Number(price), time_ms: time }
}
