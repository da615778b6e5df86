import { isPracticeId } from '#core/accounts/practice.ts'
import { toHex } from '#core/proof/bytes.ts'
import { hashTree, pathOf } from '#core/proof/hash-tree.ts'
import {
  factsHash,
  orderBatchKind,
  type OrderReceiptKind,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_VERSION,
} from '#core/proof/receipt.ts'
import { refuse, type Result, ok } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { amendedLeaves } from '#server/proof/receipts/amended-leaves.ts'
import { amendedAt } from '#server/proof/receipts/amended-orders.queries.ts'
import { saleLeaves } from '#server/proof/receipts/sale-leaves.ts'
import { findSale } from '#server/proof/receipts/sold-orders.queries.ts'
import { type Leaf, leavesOf } from '#server/proof/receipts/leaves.ts'
import { ownerPart } from '#server/proof/receipts/order-facts.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import { findReceiptBatch, type ReceiptBatch } from '#server/proof/receipts/receipt-batch.queries.ts'

/** An order that was found by its public reference. */
export interface FoundOrder extends OrderKey {
  readonly symbolId: number
  readonly stake: bigint
  readonly openedMs: number
  readonly expiresMs: number
  readonly settledMs: number | null
}

export async function findOrder(db: Db, trx: string): Promise<FoundOrder | null> {
  const columns = ['user_id', 'id', 'symbol_id', 'stake', 'opened_ms', 'expires_ms'] as const
  const open = await db.selectFrom('open_order').select(columns).where('trx', '=', trx).executeTakeFirst()
  const settledRow = await db
    .selectFrom('order_history')
    .select([...columns, 'settled_ms'])
    .where('trx', '=', trx)
    .executeTakeFirst()
  const row = settledRow ?? open
  if (row === undefined) return null
  return {
    userId: row.user_id,
    orderId: row.id,
    symbolId: row.symbol_id,
    stake: row.stake,
    openedMs: Number(row.opened_ms),
    expiresMs: Number(row.expires_ms),
    settledMs: settledRow === undefined ? null : Number(settledRow.settled_ms),
  }
}

export interface ReceiptsOfOrder {
  readonly accepted: Receipt
  /** The receipt of the result. Null while the order is open. */
  readonly result: Receipt | null
  /** The receipt of the amended result. Null when the result was not amended. */
  readonly amended: Receipt | null
  /** The receipt of a sale, which takes the place of a result. Null when the order was not sold. */
  readonly sale: Receipt | null
}

/**
 * Builds all receipts of an order from the current rows. After any change of a signed row, the receipt no longer
 * matches its signature.
 */
export async function receiptsOf(
  db: Db,
  catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>,
  order: FoundOrder,
  forOwner: boolean,
): Promise<Result<ReceiptsOfOrder, 'receipt_not_yet'>> {
  const owner = forOwner ? { owner: ownerPart(order) } : {}
  const find = (kind: OrderReceiptKind, atMs: number) =>
    findReceipt(db, catalogue, kind, { userId: order.userId, orderId: order.orderId, atMs })
  const accepted = await find('accepted', order.openedMs)
  const sold = order.settledMs === null ? null : await findSale(db, order.orderId)
  const result = order.settledMs === null || sold !== null ? null : await find('result', order.settledMs)
  const sale = sold && (await find('sale', sold.decidedMs))
  const paidMs = await amendedAt(db, order.orderId)
  const amended = paidMs === null ? null : await find('amended', paidMs)
  if (accepted === null || (order.settledMs !== null && (result ?? sale) === null)) return refuse('receipt_not_yet')
  const own = (receipt: Receipt | null) => receipt && { ...receipt, ...owner }
  return ok({
    accepted: { ...accepted, ...owner },
    result: own(result),
    amended: own(amended),
    sale: sale && { ...sale, ...owner, ...(forOwner && { sale_owner: sold?.ownerText ?? '' }) },
  })
}

async function findReceipt(
  db: Db,
  catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>,
  kind: OrderReceiptKind,
  order: OrderKey & { readonly atMs: number },
): Promise<Receipt | null> {
  const batch = await findReceiptBatch(db, orderBatchKind(kind, isPracticeId(order.userId)), order)
  if (batch === null) return null
  const leaves =
    kind === 'amended'
      ? await amendedLeaves(db, catalogue, batch.keys)
      : kind === 'sale'
        ? await saleLeaves(db, catalogue, batch.keys)
        : await leavesOf(db, catalogue, kind, batch.keys)
  return receiptOf(order.orderId, batch, leaves)
}

/** Builds one receipt of a batch from the leaves of the whole batch. Null when the batch has no leaf with this id. */
export function receiptOf(
  id: string,
  { signature }: Pick<ReceiptBatch, 'signature'>,
  leaves: readonly Leaf[],
): Receipt | null {
  const at = leaves.findIndex(({ orderId }) => orderId === id)
  const text = leaves[at]?.text
  if (text === undefined) return null
  const tree = hashTree(
    sha256,
    leaves.map((leaf) => factsHash(sha256, leaf.text)),
  )
  return {
    format: RECEIPT_FORMAT,
    version: RECEIPT_VERSION,
    facts: text,
    path: pathOf(tree, at).map(({ side, hash }) => ({ side, hash: toHex(hash) })),
    signature,
  }
}
