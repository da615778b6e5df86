import type { Receipt } from '#core/proof/receipt.ts'
import type { RegisterProof } from '#core/register/check-inclusion.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { receiptOf } from '#server/proof/receipts/find-receipt.ts'
import { moneyLeaves } from '#server/proof/receipts/money-leaves.ts'
import type { FoundStep } from '#server/proof/receipts/money-steps.queries.ts'
import { findReceiptBatch } from '#server/proof/receipts/receipt-batch.queries.ts'
import { proofOfBatch } from '#server/proof/receipts/register-proof.ts'

interface MoneyReceiptsOfRecord {
  /** The receipts of the record's steps, in the order of the steps. */
  readonly receipts: readonly Receipt[]
  /** The proof that the register contains each receipt. Null until it does. */
  readonly proofs: readonly (RegisterProof | null)[]
}

/**
 * Builds the receipts of all signed steps of a deposit, withdrawal or adjustment from the current rows. Only the user
 * of the record gets the owner's part.
 */
export async function moneyReceiptsOf(
  ctx: Ctx,
  steps: readonly FoundStep[],
  userId: string | undefined,
): Promise<Result<MoneyReceiptsOfRecord, 'receipt_not_yet'>> {
  const receipts: Receipt[] = []
  const proofs: (RegisterProof | null)[] = []
  for (const step of steps) {
    const batch = await findReceiptBatch(ctx.db, 'money', step)
    if (batch === null) continue
    const leaves = await moneyLeaves(ctx, batch.keys)
    const receipt = receiptOf(step.orderId, batch, leaves)
    const owner = step.userId === userId ? leaves.find(({ orderId }) => orderId === step.orderId)?.owner : undefined
    if (receipt === null) continue
    receipts.push({ ...receipt, ...(owner !== undefined && { owner }) })
    proofs.push(await proofOfBatch(ctx.db, batch.id))
  }
  if (receipts.length === 0) return refuse('receipt_not_yet')
  return ok({ receipts, proofs })
}
