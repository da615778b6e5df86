import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { amendedLeaves } from '#server/proof/receipts/amended-leaves.ts'
import { makeTrees } from '#server/proof/receipts/make-trees.ts'
import { listWithoutReceipt } from '#server/proof/receipts/amended-orders.queries.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

interface ReceiptParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly signingKey: SigningKeyPair
}

/** Signs the receipts of payments that have none. An order whose rows cannot be read does not stop the others. */
export async function makeAmendedReceipts(parts: ReceiptParts): Promise<void> {
  const { ctx, signingKey } = parts
  const keys = await listWithoutReceipt(ctx.db)
  if (keys.length === 0) return
  await makeTrees(ctx, signingKey, 'amended', await readableLeaves(parts, keys))
}

async function readableLeaves(parts: ReceiptParts, keys: readonly OrderKey[]): Promise<Leaf[]> {
  const { ctx, catalogue } = parts
  try {
    return await amendedLeaves(ctx.db, catalogue, keys)
  } catch (error) {
    const [only, ...others] = keys
    if (others.length === 0) {
      ctx.log.error({ err: error, orderId: only?.orderId }, 'the receipt of a payment could not be made')
      return []
    }
    const leaves: Leaf[] = []
    for (const key of keys) leaves.push(...(await readableLeaves(parts, [key])))
    return leaves
  }
}
