import type { Ctx } from '#server/context.ts'
import type { Leaf } from '#server/receipts/leaves.ts'
import { BATCH_SPAN_MS, insertReceiptBatch, type ReceiptKind } from '#server/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/receipts/signing-key.ts'
import { rootOfTexts } from '#server/receipts/tree-root.ts'

/** Signs and stores the receipts of these orders: one tree, or more when they are further apart than one may span. */
export async function makeTrees(
  ctx: Ctx,
  key: SigningKeyPair,
  kind: ReceiptKind,
  leaves: readonly Leaf[],
): Promise<void> {
  const rest = leaves.toSorted((a, b) => a.atMs - b.atMs)
  while (rest.length > 0) {
    const first = rest[0]?.atMs ?? 0
    const far = rest.findIndex(({ atMs }) => atMs > first + BATCH_SPAN_MS)
    await makeTree(ctx, key, kind, rest.splice(0, far === -1 ? rest.length : far))
  }
}

async function makeTree(ctx: Ctx, key: SigningKeyPair, kind: ReceiptKind, leaves: readonly Leaf[]): Promise<void> {
  const root = rootOfTexts(leaves.map(({ text }) => text))
  const madeMs = ctx.now()
  const signature = await key.sign({ v: 1, kind, root, count: leaves.length, made_ms: madeMs })
  await insertReceiptBatch(ctx.db, {
    id: ctx.newId(),
    kind,
    firstMs: leaves[0]?.atMs ?? 0,
    lastMs: leaves.at(-1)?.atMs ?? 0,
    keys: leaves,
    signature,
    madeMs,
  })
}
