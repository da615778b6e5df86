import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { Ctx } from '#server/platform/context/context.ts'
import { GrowingTree } from '#server/proof/receipts/merkle-builder.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { insertReceiptBatch, type ReceiptKind } from '#server/proof/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

/** About half a millisecond: whatever else the server has to do waits no longer, unless many orders wait for their receipts. */
const AT_ONCE = 100
const MOST_AT_ONCE = 1_000
/** A server that is busy comes back only after a while: the more there are, the more are made in one go, or they would never be. */
const TURNS_FOR_ALL = 25

/**
 * Signs and stores the receipts of these orders: one tree, or more when they are further apart than one may span. A little
 * at a time: mostly the engine waits for the database meanwhile, and is not to wait for us when it has its answer. `waiting`: how
 * many orders wait in all.
 */
export async function makeTrees(
  ctx: Ctx,
  key: SigningKeyPair,
  kind: ReceiptKind,
  leaves: Iterable<Leaf>,
  waiting = 0,
): Promise<void> {
  const atOnce = Math.min(MOST_AT_ONCE, Math.max(AT_ONCE, Math.ceil(waiting / TURNS_FOR_ALL)))
  let tree = new GrowingTree()
  for (const leaf of leaves) {
    if (!tree.reaches(leaf.atMs)) {
      await store(ctx, key, kind, tree)
      tree = new GrowingTree()
    }
    tree.add(leaf)
    if (tree.count % atOnce === 0) await untilOthersRan()
  }
  if (tree.count > 0) await store(ctx, key, kind, tree)
}

async function store(ctx: Ctx, key: SigningKeyPair, kind: ReceiptKind, tree: GrowingTree): Promise<void> {
  const { count, firstMs, lastMs, doneMs } = tree
  // A clock that was set back must not make a receipt older than what it is of.
  const madeMs = Math.max(ctx.now(), doneMs)
  const signature = await key.sign({ v: 1, kind, root: tree.root(), count, made_ms: madeMs })
  await insertReceiptBatch(ctx.db, {
    id: ctx.newId(),
    kind,
    firstMs,
    lastMs,
    packedKeys: tree.packedKeys(),
    signature,
    madeMs,
  })
}
