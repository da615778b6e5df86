import { setImmediate as untilOthersRan } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import { GrowingTree } from '#server/receipts/growing-tree.ts'
import type { Leaf } from '#server/receipts/leaves.ts'
import { insertReceiptBatch, type ReceiptKind } from '#server/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/receipts/signing-key.ts'

/** About half a millisecond: whatever else the server has to do waits no longer. */
const AT_ONCE = 100

/**
 * Signs and stores the receipts of these orders: one tree, or more when they are further apart than one may span. A little
 * at a time: mostly the engine waits for the database meanwhile, and is not to wait for us when it has its answer.
 */
export async function makeTrees(
  ctx: Ctx,
  key: SigningKeyPair,
  kind: ReceiptKind,
  leaves: Iterable<Leaf>,
): Promise<void> {
  let tree = new GrowingTree()
  for (const leaf of leaves) {
    if (!tree.reaches(leaf.atMs)) {
      await store(ctx, key, kind, tree)
      tree = new GrowingTree()
    }
    tree.add(leaf)
    if (tree.count % AT_ONCE === 0) await untilOthersRan()
  }
  if (tree.count > 0) await store(ctx, key, kind, tree)
}

async function store(ctx: Ctx, key: SigningKeyPair, kind: ReceiptKind, tree: GrowingTree): Promise<void> {
  const { count, firstMs, lastMs } = tree
  const madeMs = ctx.now()
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
