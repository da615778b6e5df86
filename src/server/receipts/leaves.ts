import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { factsText } from '#core/proof/receipt-facts.ts'
import type { Db } from '#server/db/tables.ts'
import type { PlannedOrder } from '#server/engine/accept.queries.ts'
import type { ClosedOrder } from '#server/engine/settle.queries.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import { endedNow, takenNow } from '#server/receipts/committed-orders.ts'
import type { KnownHeads } from '#server/receipts/known-heads.ts'
import { acceptedFacts, type EndedOrder, resultFacts, type TakenOrder } from '#server/receipts/order-facts.ts'
import { type OrderKey, readEnded, readTaken } from '#server/receipts/order-rows.queries.ts'
import type { ReceiptKind } from '#server/receipts/receipt-batch.queries.ts'

/** Facts of an order with the moment by which its receipt is found again. */
export interface Leaf extends OrderKey {
  readonly atMs: number
  readonly text: string
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
  for (const order of orders) yield acceptedLeaf(symbols, takenNow(order, heads.hashOf(order.head)))
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
  return endedLeaves(symbols, heads, { read, hashes, orders })
}

interface Ended {
  readonly read: readonly Leaf[]
  readonly hashes: ReadonlyMap<number, string>
  readonly orders: readonly ClosedOrder[]
}

function* endedLeaves(symbols: Symbols, heads: KnownHeads, { read, hashes, orders }: Ended): Generator<Leaf> {
  yield* read
  for (const closed of orders) {
    const ended = endedNow(closed, hashes, heads)
    if (ended !== null) yield resultLeaf(symbols, ended)
  }
}

function acceptedLeaf(symbols: Symbols, order: TakenOrder & { readonly symbolId: number }): Leaf {
  const { userId, orderId, openedMs } = order
  const facts = acceptedFacts(order, symbolOf(symbols, order.symbolId), BASE_CURRENCY)
  return { userId, orderId, atMs: openedMs, text: factsText(facts) }
}

function resultLeaf(symbols: Symbols, order: EndedOrder & { readonly symbolId: number }): Leaf {
  const { userId, orderId, settledMs } = order
  const facts = resultFacts(order, symbolOf(symbols, order.symbolId), BASE_CURRENCY)
  return { userId, orderId, atMs: settledMs, text: factsText(facts) }
}

function symbolOf(symbols: Symbols, id: number) {
  const symbol = symbols.byId(id)
  if (symbol === null) throw new Error(`an order names a symbol that there never was: ${id}`)
  return symbol
}
