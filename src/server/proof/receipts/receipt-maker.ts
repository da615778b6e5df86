import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import { acceptedLeaves, leavesOf, settledLeaves } from '#server/proof/receipts/leaves.ts'
import { makeOrderTrees, makeTrees } from '#server/proof/receipts/make-trees.ts'
import { moneyLeaves } from '#server/proof/receipts/money-leaves.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import type { PendingOrders } from '#server/proof/receipts/pending-orders.ts'
import type { ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

export interface ReceiptMakerParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly key: SigningKeyPair
  readonly pending: PendingOrders
}

/** Makes and stores receipts, from the engine's memory or from the stored rows. */
export class ReceiptMaker {
  readonly #parts: ReceiptMakerParts
  readonly #heads = new KnownHeads()

  constructor(parts: ReceiptMakerParts) {
    this.#parts = parts
  }

  /** Makes the receipts of the oldest pending orders, one tree of each kind. */
  async makeNext(): Promise<void> {
    // Yields first, so that the engine sends its next statement before this work starts.
    await untilOthersRan()
    // While one of the two calls waits for the database, the other computes.
    const both = await Promise.allSettled([this.#makeAccepted(), this.#makeResults()])
    for (const one of both) if (one.status === 'rejected') throw one.reason
  }

  /** Makes the receipts of orders that are not in memory, from their rows. */
  async makeFromRows(kind: ReceiptKind, keys: readonly OrderKey[]): Promise<void> {
    const { ctx, catalogue, key } = this.#parts
    if (kind === 'money') await makeTrees(ctx, key, kind, await moneyLeaves(ctx, keys))
    else await makeOrderTrees(ctx, key, kind, { leaves: await leavesOf(ctx.db, catalogue, kind, keys) })
    await untilOthersRan()
  }

  async #makeAccepted(): Promise<void> {
    const { ctx, catalogue, key, pending } = this.#parts
    await pending.takeAccepted(async (orders) => {
      const leaves = acceptedLeaves(catalogue, this.#heads, orders)
      await makeOrderTrees(ctx, key, 'accepted', { leaves, waiting: pending.count })
    })
  }

  async #makeResults(): Promise<void> {
    const { ctx, catalogue, key, pending } = this.#parts
    await pending.takeSettled(async (orders) => {
      const leaves = await settledLeaves(ctx.db, catalogue, this.#heads, orders)
      await makeOrderTrees(ctx, key, 'result', { leaves, waiting: pending.count })
    })
  }
}
