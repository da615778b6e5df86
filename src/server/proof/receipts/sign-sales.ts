import { SECOND_MS } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { togetherOrEach } from '#server/platform/concurrency/together-or-each.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { makeOrderTrees } from '#server/proof/receipts/make-trees.ts'
import { saleLeaves } from '#server/proof/receipts/sale-leaves.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { listUnsignedSales } from '#server/proof/receipts/sold-orders.queries.ts'

interface SignParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly signingKey: SigningKeyPair
}

const EVERY_MS = 2 * SECOND_MS
const MAX_PER_ROUND = 1_000

/** Periodically signs the receipts of sales that have none. Returns a function that stops it. */
export function signSalesPeriodically(parts: SignParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => EVERY_MS,
    run: () => signSales(parts),
    failure: 'the receipts of sales could not be signed',
  })
}

/**
 * Signs the missing receipts of sales. If the rows of one order cannot be read, the other receipts are still signed.
 */
async function signSales({ ctx, catalogue, signingKey }: SignParts): Promise<void> {
  const keys = await listUnsignedSales(ctx.db, ctx.now(), MAX_PER_ROUND)
  if (keys.length === 0) return
  const leaves: Leaf[] = []
  await togetherOrEach(
    keys,
    async (some) => void leaves.push(...(await saleLeaves(ctx.db, catalogue, some))),
    ({ orderId }, error) => ctx.log.error({ err: error, orderId }, 'the receipt of a sale could not be made'),
  )
  await makeOrderTrees(ctx, signingKey, 'sale', { leaves })
}
