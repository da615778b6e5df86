import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { togetherOrEach } from '#server/platform/concurrency/together-or-each.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { amendedLeaves } from '#server/proof/receipts/amended-leaves.ts'
import { makeOrderTrees } from '#server/proof/receipts/make-trees.ts'
import { listWithoutReceipt } from '#server/proof/receipts/amended-orders.queries.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

interface ReceiptParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly signingKey: SigningKeyPair
}

/**
 * Makes and signs the receipts of payments that have none. If the rows of one order cannot be read, the other receipts
 * are still made.
 */
export async function makeAmendedReceipts({ ctx, catalogue, signingKey }: ReceiptParts): Promise<void> {
  const keys = await listWithoutReceipt(ctx.db, ctx.now())
  if (keys.length === 0) return
  const leaves: Leaf[] = []
  await togetherOrEach(
    keys,
    async (some) => void leaves.push(...(await amendedLeaves(ctx.db, catalogue, some))),
    ({ orderId }, error) => ctx.log.error({ err: error, orderId }, 'the receipt of a payment could not be made'),
  )
  await makeOrderTrees(ctx, signingKey, 'amended', { leaves })
}
