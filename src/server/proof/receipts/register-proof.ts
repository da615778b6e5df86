import type { OrderReceiptKind } from '#core/proof/receipt.ts'
import { makeRegisterProof, type RegisterProof } from '#core/register/check-inclusion.ts'
import { inclusionPath } from '#core/register/log-proofs.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { amendedAt } from '#server/proof/receipts/amended-orders.queries.ts'
import type { FoundOrder } from '#server/proof/receipts/find-receipt.ts'
import { findSale } from '#server/proof/receipts/sold-orders.queries.ts'
import { placeOfBatch } from '#server/proof/receipts/gather-receipts.ts'
import { findReceiptBatch } from '#server/proof/receipts/receipt-batch.queries.ts'
import { entriesFrom, newestCheckpoint, storedTree } from '#server/register/register.queries.ts'
import { cosignedCheckpoint, withCosignatures } from '#server/register/witnesses.queries.ts'

/** Proves that the register contains the receipts of an order. Null for a receipt that is not in the register yet. */
export async function registerProofsOf(
  db: Db,
  { orderId, openedMs, settledMs }: FoundOrder,
): Promise<Readonly<Record<OrderReceiptKind, RegisterProof | null>>> {
  const find = async (kind: OrderReceiptKind, atMs: number): Promise<RegisterProof | null> => {
    const batch = await findReceiptBatch(db, kind, { orderId, atMs })
    return batch && (await proofOfBatch(db, batch.id))
  }
  const amendedMs = await amendedAt(db, orderId)
  const sold = settledMs === null ? null : await findSale(db, orderId)
  return {
    accepted: await find('accepted', openedMs),
    result: settledMs === null || sold !== null ? null : await find('result', settledMs),
    sale: sold === null ? null : await find('sale', sold.decidedMs),
    amended: amendedMs === null ? null : await find('amended', amendedMs),
  }
}

/**
 * Proves that the register contains a batch. The proof names the newest checkpoint with a cosignature that contains the
 * batch, or else the newest checkpoint. Null until the register contains the batch.
 */
export async function proofOfBatch(db: Db, batchId: string): Promise<RegisterProof | null> {
  const place = await placeOfBatch(db, batchId)
  if (place === null) return null
  const [entry] = await entriesFrom(db, place.index, 1)
  const checkpoint = (await cosignedCheckpoint(db, place.index + 1)) ?? (await newestCheckpoint(db))
  if (entry === undefined || checkpoint === null) return null
  return makeRegisterProof({
    index: place.index,
    text: entry.text,
    batchPath: place.path,
    path: await inclusionPath(storedTree(db, checkpoint.size), place.index),
    note: await withCosignatures(db, checkpoint),
  })
}
