import { factsText } from '#core/proof/receipt-facts.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/settle.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { endedText, takenText } from '#server/proof/receipts/committed-orders.ts'
import { CommonTexts } from '#server/proof/receipts/common-texts.ts'
import type { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import {
  acceptedFacts,
  type EndedOrder,
  resultFacts,
  symbolFacts,
  type TakenOrder,
} from '#server/proof/receipts/order-facts.ts'
import { type OrderKey, readEnded, readTaken } from '#server/proof/receipts/order-rows.queries.ts'
import type { ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'

/** Facts of an order with the moment by which its receipt is found again. */
export interface Leaf extends OrderKey {
  readonly atMs: number
  readonly text: string
  /** It is signed no earlier: another server may have decided it, by its own clock. */
  readonly decidedMs?: number
}

type Symbols = Pick<MarketCatalogue, 'byId'>

/** The leaves of these orders from their rows, in the same order. */
export async function leavesOf(
  db: Db,
  symbols: Symbols,
  kind: ReceiptKind,
  keys: readonly OrderKey[],
): Promise<Leaf[]> {
  if (kind === 'accepted') return (await readTaken(db, keys)).map((order) => acceptedLeaf(symbols, order))
  return (await readEnded(db, keys)).map((order) => resultLeaf(symbols, order))
}

/** The same of orders that were just taken: nothing has to be read. Each is made when it is asked for. */
export function* leavesOfTaken(symbols: Symbols, heads: KnownHeads, orders: readonly PlannedOrder[]): Generator<Leaf> {
  const texts = new CommonTexts(symbols, heads)
  for (const order of orders) {
    const { userId, orderId, placement } = order
    yield { userId, orderId, atMs: placement.openedAt, text: takenText(order, texts) }
  }
}

/** The same of orders that just ended: hardly ever something has to be read. Those of long ago have no receipt. */
export async function leavesOfEnded(
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
  return endedLeaves(new CommonTexts(symbols, heads), { read, hashes, orders })
}

interface Ended {
  readonly read: readonly Leaf[]
  readonly hashes: ReadonlyMap<number, string>
  readonly orders: readonly ClosedOrder[]
}

function* endedLeaves(texts: CommonTexts, { read, hashes, orders }: Ended): Generator<Leaf> {
  yield* read
  for (const closed of orders) {
    const text = endedText(closed, hashes, texts)
    const { userId, orderId } = closed.order
    if (text === null) continue
    yield { userId, orderId, atMs: closed.settledAt, text, decidedMs: closed.price?.decidedAt ?? closed.settledAt }
  }
}

function acceptedLeaf(symbols: Symbols, order: TakenOrder & { readonly symbolId: number }): Leaf {
  const { userId, orderId, openedMs } = order
  const facts = acceptedFacts(order, symbolFacts(symbols, order.symbolId))
  return { userId, orderId, atMs: openedMs, text: factsText(facts) }
}

function resultLeaf(symbols: Symbols, order: EndedOrder & { readonly symbolId: number }): Leaf {
  const { userId, orderId, settledMs, decidedMs } = order
  const facts = resultFacts(order, symbolFacts(symbols, order.symbolId))
  return { userId, orderId, atMs: settledMs, text: factsText(facts), decidedMs }
}
