import { asciiBytes, fromHex, type Sha256, toHex } from '#core/proof/bytes.ts'
import { rootFromPath, isPathIn, leafHash } from '#core/proof/hash-tree.ts'

export const RECEIPT_FORMAT = 'fairwick-receipt'
export const RECEIPT_VERSION = 1

/**
 * A receipt. Orders accepted (or settled) together are the leaves of one tree, and one signature over its root covers
 * them all. `path` leads from this receipt's facts to the root.
 */
export interface Receipt {
  readonly format: typeof RECEIPT_FORMAT
  readonly version: typeof RECEIPT_VERSION
  /** The facts as text, exactly as they were hashed. */
  readonly facts: string
  readonly path: readonly { readonly side: 'left' | 'right'; readonly hash: string }[]
  /** A compact JWS (RFC 7515, EdDSA with Ed25519) whose payload is a `SignedRoot`. */
  readonly signature: string
  /** The text whose hash the facts contain as `owner`. Present only for the order's user. */
  readonly owner?: string
  /** The text whose hash the facts of a sale contain as `sale_owner`. Present only for the order's user. */
  readonly sale_owner?: string
}

/** The kinds of receipts. The receipts of one signature are of one kind. */
export const BATCH_KINDS = [
  'accepted',
  'result',
  'amended',
  'sale',
  'money',
  'practice_accepted',
  'practice_result',
  'practice_amended',
  'practice_sale',
] as const
export type BatchKind = (typeof BATCH_KINDS)[number]
/** The kinds of receipts of orders of money. Each has a separate kind for practice orders: see `orderBatchKind`. */
export const ORDER_RECEIPT_KINDS = ['accepted', 'result', 'amended', 'sale'] as const
export type OrderReceiptKind = (typeof ORDER_RECEIPT_KINDS)[number]

/** The kind of a receipt of an order, for an order of money or of practice. */
export function orderBatchKind(kind: OrderReceiptKind, isPractice: boolean): BatchKind {
  return isPractice ? `practice_${kind}` : kind
}

/** The content of a signature. */
export interface SignedRoot {
  readonly v: 1
  readonly kind: BatchKind
  /** Lower-case hexadecimal. */
  readonly root: string
  /** The number of receipts under the root. */
  readonly count: number
  readonly made_ms: number
}

export function factsHash(sha256: Sha256, facts: string): Uint8Array {
  return leafHash(sha256, asciiBytes(facts))
}

/** Whether facts and path lead to a signed root, with a path that fits its number of leaves. */
export function isUnderRoot(sha256: Sha256, { facts, path }: Receipt, { root, count }: SignedRoot): boolean {
  const steps = path.map(({ side, hash }) => ({ side, hash: fromHex(hash) }))
  return isPathIn(count, path) && toHex(rootFromPath(sha256, factsHash(sha256, facts), steps)) === root
}

export function ownerHash(sha256: Sha256, owner: string): string {
  return toHex(sha256(asciiBytes(owner)))
}

/** Parses a receipt from a file or a reply. Returns null when it is malformed. */
export function readReceipt(value: unknown): Receipt | null {
  if (typeof value !== 'object' || value === null) return null
  const {
    format,
    version,
    facts,
    path,
    signature,
    owner,
    sale_owner: saleOwner,
  } = value as Partial<Record<keyof Receipt, unknown>>
  if (format !== RECEIPT_FORMAT || version !== RECEIPT_VERSION) return null
  if (typeof facts !== 'string' || typeof signature !== 'string' || !Array.isArray(path)) return null
  if (!isOwnPart(owner) || !isOwnPart(saleOwner)) return null
  if (!ASCII.test(facts)) return null
  const steps: readonly unknown[] = path
  if (steps.length > MAX_PATH_STEPS || !steps.every(isStep)) return null
  return {
    format,
    version,
    facts,
    path: steps,
    signature,
    ...(owner !== undefined && { owner }),
    ...(saleOwner !== undefined && { sale_owner: saleOwner }),
  }
}

function isOwnPart(part: unknown): part is string | undefined {
  return part === undefined || (typeof part === 'string' && ASCII.test(part))
}

/** Hashed texts are ASCII, so that there is one way to encode them as bytes. */
const ASCII = /^[\x20-\x7e]*$/
/** 30 steps: enough for a tree of a billion receipts. */
const MAX_PATH_STEPS = 30

function isStep(value: unknown): value is Receipt['path'][number] {
  if (typeof value !== 'object' || value === null) return false
  const { side, hash } = value as { side?: unknown; hash?: unknown }
  return (side === 'left' || side === 'right') && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
}
