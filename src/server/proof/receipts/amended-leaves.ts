import type { RecordTrade } from '#core/orders/rules/made-good.ts'
import { amendedText, creditShare, isOfPractice, type RecordFacts, receiptResult } from '#core/proof/receipt-facts.ts'
import { assert } from '#core/result.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { readAmendments } from '#server/proof/receipts/amended-orders.queries.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { resultFacts, symbolFacts } from '#server/proof/receipts/order-facts.ts'
import { type OrderKey, readSettledOrders } from '#server/proof/receipts/order-rows.queries.ts'

/** Builds the leaves of amended results from their rows, in the same order. */
export async function amendedLeaves(
  db: Db,
  symbols: Pick<MarketCatalogue, 'byId' | 'termsHash'>,
  keys: readonly OrderKey[],
): Promise<Leaf[]> {
  const orders = await readSettledOrders(db, keys)
  const amendments = await readAmendments(db, keys)
  return orders.map((order, at) => {
    const amendment = amendments[at]
    assert(amendment && order.orderId === keys[at]?.orderId, 'every amended order has ended')
    const facts = resultFacts(order, symbolFacts(symbols, order.symbolId), symbols)
    const amended = receiptResult(amendment.result)
    const { last, next, entries } = amendment.reading
    const entry = entries.find(({ of }) => of === facts.entry.ref)
    const text = amendedText({
      ...facts,
      kind: isOfPractice(facts) ? 'practice_amended' : 'amended',
      by: 'record',
      amended,
      record: { entry: entry && toFacts(entry.trade), last: last && toFacts(last), next: next && toFacts(next) },
      paid: creditShare(amended, facts.payout_bp) - creditShare(facts.result, facts.payout_bp),
      amended_ms: amendment.paidAt,
    })
    return { userId: order.userId, orderId: order.orderId, atMs: amendment.paidAt, text }
  })
}

function toFacts({ price, time, ref }: RecordTrade): RecordFacts {
  return { price: Number(price), time_ms: time, ref }
}
