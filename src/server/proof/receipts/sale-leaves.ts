import { isOfPractice } from '#core/proof/receipt-facts.ts'
import { saleText } from '#core/proof/sale-facts.ts'
import { readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import { assert } from '#core/result.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { readTermsHistory } from '#server/market-data/catalogue/terms.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { acceptedFacts, symbolFacts } from '#server/proof/receipts/order-facts.ts'
import { type OrderKey, readAcceptedOrders, readHeads } from '#server/proof/receipts/order-rows.queries.ts'
import { readSales } from '#server/proof/receipts/sold-orders.queries.ts'

/** Builds the leaves of sold orders from their rows, in the same order. */
export async function saleLeaves(
  db: Db,
  symbols: Pick<MarketCatalogue, 'byId' | 'termsHash'>,
  keys: readonly OrderKey[],
): Promise<Leaf[]> {
  const orders = await readAcceptedOrders(db, keys)
  const sales = await readSales(
    db,
    keys.map(({ orderId }) => orderId),
  )
  const terms = await readTermsHistory(db)
  const heads = await readHeads(
    db,
    [...sales.values()].flatMap(({ requestedQ, headQ }) => [requestedQ, headQ]),
  )
  const headAt = (q: number) => {
    const found = heads.get(q)
    assert(found, `the tick log has a batch that ends at ${q}`)
    return { q, hash: found }
  }
  return orders.map((order) => {
    const sale = sales.get(order.orderId)
    const entry = sale && terms.byNumber(sale.termsN)
    const saleTerms = entry && readSaleTerms(entry.value)
    const hash = sale && symbols.termsHash(sale.termsN)
    assert(sale && saleTerms && hash, 'a sold order has its sale and its terms')
    const facts = acceptedFacts(order, symbolFacts(symbols, order.symbolId), symbols)
    const text = saleText({
      ...facts,
      kind: isOfPractice(facts) ? 'practice_sale' : 'sale',
      model: 1,
      c: saleTerms.scale,
      fee_bp: saleTerms.fee,
      sale_terms: { n: sale.termsN, hash },
      requested_ms: sale.requestedMs,
      requested_head: headAt(sale.requestedQ),
      tick: sale.tick,
      received_ms: sale.receivedMs,
      movement: sale.movement,
      win: sale.win,
      same: sale.same,
      decided_ms: sale.decidedMs,
      decided_head: headAt(sale.headQ),
      sale_owner: sha256OfText(sale.ownerText),
    })
    const { userId, orderId } = order
    return { userId, orderId, atMs: sale.decidedMs, text, decidedMs: sale.decidedMs }
  })
}
