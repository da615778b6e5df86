import type { SignedRoot } from '#core/proof/receipt.ts'
import { fromBase64, fromHex, sameBytes, toBase64, toHex } from '#core/proof/bytes.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import { isPathIn, rootFromPath, type Step } from '#core/proof/hash-tree.ts'
import { entryHash, readEntry } from '#core/register/entry.ts'
import { rootFromInclusion } from '#core/register/log-proofs.ts'
import { type NoteFault, type NoteSignature, openNote } from '#core/register/open-note.ts'
import type { NoteKey } from '#core/register/signed-note.ts'

/** The proof that the register holds a batch of receipts, as it is sent and stored in files. */
export interface RegisterProof {
  /** The number of the entry, from 0. */
  readonly index: number
  /** The entry. */
  readonly text: string
  /** The path from the root of the batch to the root in the entry. */
  readonly batch_path: readonly { readonly side: 'left' | 'right'; readonly hash: string }[]
  /** The path from the entry to the root in the checkpoint: base64, from the leaf's sibling upwards. */
  readonly path: readonly string[]
  /** The checkpoint with its signatures. */
  readonly note: string
}

/** `not_logged`: the proof does not lead from the batch to the checkpoint. */
export type InclusionFault = NoteFault | 'not_logged'

/** The facts about the register entry that a valid proof shows. */
export interface Inclusion {
  readonly origin: string
  readonly size: number
  /** When the entry was made, in milliseconds since 1970. */
  readonly atMs: number
  /** All valid signatures of known keys, the log's own included. */
  readonly signatures: readonly NoteSignature[]
}

/** Builds a proof from its parts. */
export function makeRegisterProof(parts: {
  readonly index: number
  readonly text: string
  readonly batchPath: readonly Step[]
  readonly path: readonly Uint8Array[]
  readonly note: string
}): RegisterProof {
  const { index, text, batchPath, path, note } = parts
  const steps = batchPath.map(({ side, hash }) => ({ side, hash: toHex(hash) }))
  return { index, text, batch_path: steps, path: path.map(toBase64), note }
}

/**
 * Checks that the register holds a batch of receipts. The root and kind of the batch, which the signature of its
 * receipts covers, identify the batch. An entry that states that it has no receipts of orders cannot hold the receipt
 * of an order.
 */
export function checkInclusion(
  tools: CheckTools,
  { root: batchRoot, kind }: Pick<SignedRoot, 'root' | 'kind'>,
  proof: RegisterProof,
  keys: readonly NoteKey[],
): Inclusion | InclusionFault {
  const opened = openNote(tools, proof.note, keys)
  if (typeof opened === 'string') return opened
  const entry = readEntry(proof.text)
  const atMs = entry?.['at_ms']
  const path = proof.path.map(fromBase64).filter((hash) => hash !== null)
  const { origin, size, root } = opened.checkpoint
  const leaf = entryHash(tools.sha256, proof.text)
  const computed = rootFromInclusion(tools.sha256, { index: proof.index, size, leaf }, path)
  const receipts = receiptsIn(entry)
  const isInTree = typeof receipts?.['batches'] === 'number' && isPathIn(receipts['batches'], proof.batch_path)
  const holdsBatch = isInTree && receipts['root'] === rootOfBatchPath(tools, batchRoot, proof)
  const isDenied = kind !== 'money' && receipts?.['orders'] === 0
  if (typeof atMs !== 'number' || !holdsBatch || isDenied || computed === null || !sameBytes(computed, root))
    return 'not_logged'
  return { origin, size, atMs, signatures: opened.signatures }
}

function rootOfBatchPath({ sha256 }: CheckTools, batchRoot: string, { batch_path: path }: RegisterProof): string {
  const steps = path.map(({ side, hash }) => ({ side, hash: fromHex(hash) }))
  return toHex(rootFromPath(sha256, fromHex(batchRoot), steps))
}

/**
 * Returns the root and number of batches in an entry. The first entry of the register covers all older receipts. Null
 * for an entry that holds no receipts.
 */
export function receiptsIn(entry: Readonly<Record<string, unknown>> | null): Record<string, unknown> | null {
  const receipts: unknown = entry?.['kind'] === 'genesis' ? entry['receipts'] : entry
  const isOfReceipts = entry?.['kind'] === 'receipts' || entry?.['kind'] === 'genesis'
  return isOfReceipts && typeof receipts === 'object' && receipts !== null ? { ...receipts } : null
}
