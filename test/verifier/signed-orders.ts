import { sign } from 'node:crypto'
import { BUNDLE_FORMAT } from '#core/proof/bundle-file.ts'
import { SIGNATURE_TYPE, type SigningKey } from '#core/proof/check-signature.ts'
import { hashTree, pathOf, rootOf } from '#core/proof/hash-tree.ts'
import { type LogBatch, readLines } from '#core/proof/log-evidence.ts'
import { type BatchKind, factsHash, type Receipt, RECEIPT_FORMAT, RECEIPT_VERSION } from '#core/proof/receipt.ts'
import { factsText, type ReceiptFacts } from '#core/proof/receipt-facts.ts'
import { toHex } from '#core/proof/bytes.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { makeSigner, type Signer } from '#test/support/signed-order.ts'
import { below, between, isLikely } from './chance.ts'
import type { RandomOrder } from './random-order.ts'

export const signer = makeSigner()
const earlier = makeSigner()
const KEYS: readonly SigningKey[] = [{ ...earlier.published, retired_ms: 1 }, signer.published]

/** A check file, as users download it. */
export interface CheckFile {
  readonly format: string
  readonly version: 1 | 2
  readonly accepted: Receipt | null
  readonly result: Receipt | null
  readonly amended?: Receipt | null
  readonly evidence: {
    readonly entry_log: readonly LogBatch[]
    readonly exit_log: readonly LogBatch[]
    readonly terms?: readonly string[]
    readonly sources?: readonly string[]
  }
  readonly keys: readonly SigningKey[]
}

/** Signs the facts of several orders with one signature. */
export function signTogether(all: readonly ReceiptFacts[], owners: readonly string[], by: Signer = signer): Receipt[] {
  const { kind = 'accepted' } = all[0] ?? {}
  const newestMs = Math.max(...all.map((one) => (one.kind === 'result' ? one.decided_ms : one.opened_ms)))
  return signTexts(all.map(factsText), owners, { kind, newestMs, by })
}

/** Signs the texts of receipts of one kind with one signature. */
export function signTexts(
  texts: readonly string[],
  owners: readonly string[],
  { kind, newestMs, by = signer }: { readonly kind: BatchKind; readonly newestMs: number; readonly by?: Signer },
): Receipt[] {
  const tree = hashTree(
    sha256,
    texts.map((text) => factsHash(sha256, text)),
  )
  const header = encoded({ alg: 'EdDSA', kid: by.published.kid, typ: SIGNATURE_TYPE })
  const root = toHex(rootOf(tree))
  const content = encoded({ v: 1, kind, root, count: texts.length, made_ms: newestMs + below(500) })
  const signature = sign(null, Buffer.from(`${header}.${content}`), by.key).toString('base64url')
  return texts.map((facts, at) => {
    const path = pathOf(tree, at).map(({ side, hash }) => ({ side, hash: toHex(hash) }))
    const receipt = { format: RECEIPT_FORMAT, version: RECEIPT_VERSION, facts, path } as const
    const owner = owners[at] !== undefined && isLikely(50) ? { owner: owners[at] } : {}
    return { ...receipt, signature: `${header}.${content}.${signature}`, ...owner }
  })
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Builds the check files of orders that were accepted, and settled, together. Some are still open. */
export function checkFilesOf(orders: readonly RandomOrder[]): CheckFile[] {
  const owners = orders.map(({ owner }) => owner)
  const accepted = signTogether(
    orders.map((order) => order.accepted),
    owners,
  )
  const results = signTogether(
    orders.map((order) => order.result),
    owners,
  )
  return orders.map((order, at) => {
    const isOpen = isLikely(5)
    const given = { accepted: isLikely(90) || isOpen ? accepted[at] : null, result: isOpen ? null : results[at] }
    return fileOf(order, { accepted: given.accepted ?? null, result: given.result ?? null })
  })
}

/** Builds a check file from receipts and the pieces of the log that they need. */
function fileOf(order: RandomOrder, receipts: Pick<CheckFile, 'accepted' | 'result'>): CheckFile {
  const { log, accepted, result, terms, sources } = order
  const exitFrom = firstNeeded(order)
  const texts = { terms, sources }
  return {
    format: BUNDLE_FORMAT,
    version: terms.length > 0 ? 2 : 1,
    ...receipts,
    evidence: {
      entry_log: piece(log, accepted.entry.q, accepted.head.q),
      exit_log: receipts.result === null ? [] : piece(log, exitFrom, result.decided_head.q),
      ...(terms.length > 0 && texts),
    },
    keys: KEYS,
  }
}

/** Returns the log after the decision, in which nothing may contradict the decision. */
export function laterLog({ log, result }: RandomOrder): readonly LogBatch[] {
  return log.filter(({ first_seq: first }) => first > result.decided_head.q)
}

/**
 * Returns the first log position that a check of the order's end needs. Lines without a position are close to the lines
 * of the prices around them. A void order needs the whole time that has no price.
 */
function firstNeeded({ log, result: { exit, next, late } }: RandomOrder): number {
  if (exit === null) return log[0]?.first_seq ?? 1
  const first = Math.min(exit.q, next?.q ?? exit.q)
  if (late !== true) return first
  const before = readLines(log).findLast((line) => line.kind === 't' && line.ref !== null && line.ref < (exit.ref ?? 0))
  return before?.kind === 't' ? Math.min(first, before.q) : first
}

/**
 * Returns the batches from position `from` to the end of the batch with position `to`, sometimes with up to five
 * earlier batches.
 */
function piece(log: readonly LogBatch[], from: number, to: number): LogBatch[] {
  const first = log.findIndex(({ last_seq: last }) => last >= from)
  const start = Math.max(0, first - (isLikely(50) ? between(0, 5) : 0))
  return log.slice(start, log.findIndex(({ last_seq: last }) => last >= to) + 1)
}

/** Signs an order together with two others, as the second leaf of a tree, and builds its check file. */
export function signedFile(order: RandomOrder, all: readonly RandomOrder[]): CheckFile {
  const [first = order, second = order] = all.filter(({ accepted }) => accepted.trx !== order.accepted.trx)
  const together = [first, order, second]
  const owners = together.map(({ owner }) => owner)
  const [, accepted = null] = signTogether(
    together.map((one) => one.accepted),
    owners,
  )
  const [, result = null] = signTogether(
    together.map((one) => one.result),
    owners,
  )
  return fileOf(order, { accepted, result })
}
