import { factsText } from '#core/proof/receipt-facts.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/due-order.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { settledOrderText, acceptedOrderText } from '#server/proof/receipts/committed-orders.ts'
import { CommonTexts } from '#server/proof/receipts/common-texts.ts'
import type { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import {
  acceptedFacts,
  type SettledOrderFacts,
  resultFacts,
  symbolFacts,
  type AcceptedOrderFacts,
} from '#server/proof/receipts/order-facts.ts'
import { type OrderKey, readSettledOrders, readAcceptedOrders } from '#server/proof/receipts/order-rows.queries.ts'
import type { OrderReceiptKind } from '#core/proof/receipt.ts'

/** The facts of an order with the instant under which its receipt is stored. */
export interface Leaf extends OrderKey {
  readonly atMs: number
  readonly text: string
  /**
   * The receipt is signed no earlier than this instant, which comes from the clock of the server that decided the
   * order.
   */
  readonly decidedMs?: number
}

type Symbols = Pick<MarketCatalogue, 'byId' | 'termsHash'>

/** Builds the leaves of these orders from their rows, in the same order. */
export async function leavesOf(
  db: Db,
  symbols: Symbols,
  kind: Exclude<OrderReceiptKind, 'amended' | 'sale'>,
  keys: readonly OrderKey[],
): Promise<Leaf[]> {
  if (kind === 'accepted') return (await readAcceptedOrders(db, keys)).map((order) => acceptedLeaf(symbols, order))
  return (await readSettledOrders(db, keys)).map((order) => resultLeaf(symbols, order))
}

/** Builds the leaves of accepted orders from memory, without a query. Each leaf is built when it is read. */
export function* acceptedLeaves(symbols: Symbols, heads: KnownHeads, orders: readonly PlannedOrder[]): Generator<Leaf> {
  const texts = new CommonTexts(symbols, heads)
  for (const order of orders) {
    const { userId, orderId, placement } = order
    yield { userId, orderId, atMs: placement.openedAt, text: acceptedOrderText(order, texts) }
  }
}

/**
 * Builds the leaves of settled orders. Usually no query is needed. Orders that are older than the first receipts are
 * left out.
 */
export async function settledLeaves(
  db: Db,
  symbols: Symbols,
  heads: KnownHeads,
  orders: readonly ClosedOrder[],
): Promise<Iterable<Leaf>> {
  const keys = orders.filter(({ price }) => price === null).map(({ order }) => order)
  const seqs = new Set<number>()
  for (const { due } of orders) if (due.headSeq !== null) seqs.add(due.headSeq)
  const hashes = await heads.at(db, seqs)
  const read = keys.length === 0 ? [] : await leavesOf(db, symbols, 'result', keys)
  return generateSettledLeaves(new CommonTexts(symbols, heads), { read, hashes, orders })
}

interface SettledBatch {
  readonly read: readonly Leaf[]
  readonly hashes: ReadonlyMap<number, string>
  readonly orders: readonly ClosedOrder[]
}

function* generateSettledLeaves(texts: CommonTexts, { read, hashes, orders }: SettledBatch): Generator<Leaf> {
  yield* read
  for (const closed of orders) {
    const text = settledOrderText(closed, hashes, texts)
    const { userId, orderId } = closed.order
    if (text === null) continue
    yield { userId, orderId, atMs: closed.settledAt, text, decidedMs: closed.price?.decidedAt ?? closed.settledAt }
  }
}

function acceptedLeaf(symbols: Symbols, order: AcceptedOrderFacts & { readonly symbolId: number }): Leaf {
  const { userId, orderId, openedMs } = order
  const facts = acceptedFacts(order, symbolFacts(symbols, order.symbolId), symbols)
  return { userId, orderId, atMs: openedMs, text: factsText(facts) }
}

function resultLeaf(symbols: Symbols, order: SettledOrderFacts & { readonly symbolId: number }): Leaf {
  const { userId, orderId, settledMs, decidedMs } = order
  const facts = resultFacts(order, symbolFacts(symbols, order.symbolId), symbols)
  return { userId, orderId, atMs: settledMs, text: factsText(facts), decidedMs }
}
