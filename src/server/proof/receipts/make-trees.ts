import { setImmediate as untilOthersRan } from 'node:timers/promises'
import { isPracticeId } from '#core/accounts/practice.ts'
import { type BatchKind, orderBatchKind, type OrderReceiptKind } from '#core/proof/receipt.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { MerkleBuilder } from '#server/proof/receipts/merkle-builder.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { insertReceiptBatch } from '#server/proof/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

/**
 * The least number of leaves per turn. 100 leaves take about 0.5 ms, so they do not delay other work. A long queue
 * raises the number.
 */
const AT_ONCE = 100
const MAX_LEAVES_PER_TURN = 1_000
/**
 * The aim is to finish a queue in 25 turns. A busy server reaches its next turn late, so a longer queue gets larger
 * turns.
 */
const TURNS_FOR_ALL = 25

/** Signs and stores the receipts of orders: those of practice orders in trees of their own. See `makeTrees`. */
export async function makeOrderTrees(
  ctx: Ctx,
  key: SigningKeyPair,
  kind: OrderReceiptKind,
  { leaves, waiting = 0 }: { readonly leaves: Iterable<Leaf>; readonly waiting?: number },
): Promise<void> {
  const ofPractice: Leaf[] = []
  await makeTrees(ctx, key, kind, withoutPractice(leaves, ofPractice), waiting)
  if (ofPractice.length > 0) await makeTrees(ctx, key, orderBatchKind(kind, true), ofPractice, waiting)
}

function* withoutPractice(leaves: Iterable<Leaf>, ofPractice: Leaf[]): Generator<Leaf> {
  for (const leaf of leaves) {
    if (isPracticeId(leaf.userId)) ofPractice.push(leaf)
    else yield leaf
  }
}

/**
 * Signs and stores the receipts of these orders in one tree, or in several when the orders span more time than one tree
 * may. Works in small turns, so that the trading engine can continue as soon as the database replies to it. `waiting`:
 * the number of all queued orders.
 */
export async function makeTrees(
  ctx: Ctx,
  key: SigningKeyPair,
  kind: BatchKind,
  leaves: Iterable<Leaf>,
  waiting = 0,
): Promise<void> {
  const atOnce = Math.min(MAX_LEAVES_PER_TURN, Math.max(AT_ONCE, Math.ceil(waiting / TURNS_FOR_ALL)))
  let tree = new MerkleBuilder()
  for (const leaf of leaves) {
    if (!tree.reaches(leaf.atMs)) {
      await store(ctx, key, kind, tree)
      tree = new MerkleBuilder()
    }
    tree.add(leaf)
    if (tree.count % atOnce === 0) await untilOthersRan()
  }
  if (tree.count > 0) await store(ctx, key, kind, tree)
}

async function store(ctx: Ctx, key: SigningKeyPair, kind: BatchKind, tree: MerkleBuilder): Promise<void> {
  const { count, firstMs, lastMs, doneMs } = tree
  // Even after a clock was set back, the receipt must not be older than its orders.
  const createdMs = Math.max(ctx.now(), doneMs)
  const signature = await key.sign({ v: 1, kind, root: tree.root(), count, made_ms: createdMs })
  await insertReceiptBatch(ctx.db, {
    id: ctx.newId(),
    kind,
    firstMs,
    lastMs,
    packedKeys: tree.packedKeys(),
    signature,
    createdMs,
  })
}
