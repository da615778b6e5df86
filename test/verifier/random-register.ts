import { sign } from 'node:crypto'
import { asciiBytes, fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import { hashTree, leafHash, pathOf, rootOf } from '#core/proof/hash-tree.ts'
import type { Receipt, SignedRoot } from '#core/proof/receipt.ts'
import { makeRegisterProof, type RegisterProof } from '#core/register/check-inclusion.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { makeEntry } from '#core/register/entry.ts'
import { consistencyProof, inclusionPath, type LogTree, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { cosignedText, logLine, witnessLine } from '#core/register/open-note.ts'
import { formatNote, formatVerifierKey, KEY_TYPES, type NoteKey } from '#core/register/signed-note.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { makeSigner, type Signer } from '#test/support/signed-order.ts'
import { below, between, isLikely } from './chance.ts'
import { BEGINS_MS } from './random-market.ts'
import { randomTerms } from './published-texts.ts'

export const ORIGIN = 'trade.example.com/register'

/** A key of a signed note with its secret half. */
export interface NoteSigner {
  readonly key: NoteKey
  readonly text: string
  readonly signer: Signer
}

export function noteSigner(name: string, type: NoteKey['type']): NoteSigner {
  const signer = makeSigner()
  const key = { name, type, publicKey: new Uint8Array(Buffer.from(signer.published.x, 'base64url')) }
  return { key, text: formatVerifierKey(sha256, key), signer }
}

export const LOG = noteSigner(ORIGIN, KEY_TYPES.log)
export const WITNESSES = ['w1.example.com', 'w2.example.org/w', 'w3.example.net'].map((name) =>
  noteSigner(name, KEY_TYPES.witness),
)

function signed({ signer }: NoteSigner, text: string): Uint8Array {
  return new Uint8Array(sign(null, Buffer.from(text), signer.key))
}

/** Writes a checkpoint that the log and some witnesses signed. */
export function noteOf(
  { size, root, origin = ORIGIN }: { readonly size: number; readonly root: Uint8Array; readonly origin?: string },
  witnesses: readonly NoteSigner[],
  log: NoteSigner = LOG,
): string {
  const text = checkpointText({ origin, size, root })
  const lines = witnesses.map((witness) => {
    const seconds = Math.floor(BEGINS_MS / 1_000) + below(100)
    return witnessLine(sha256, witness.key, seconds, signed(witness, cosignedText(text, seconds)))
  })
  return formatNote({ text, lines: [logLine(sha256, log.key, signed(log, text)), ...lines] })
}

interface Place {
  readonly index: number
  readonly text: string
  readonly batchPath: ReturnType<typeof pathOf>
}

/** A register with the batches of some receipts in some of its entries. */
export class RandomRegister {
  readonly #leaves: Uint8Array[] = []
  readonly #places = new Map<string, Place>()

  constructor(receipts: readonly Receipt[]) {
    const roots = [...new Set(receipts.map(batchRootOf))]
    const before = roots.splice(0, below(3))
    const state = { root: before.length === 0 ? null : minuteRoot(before), batches: before.length }
    this.#add(makeEntry('genesis', { origin: ORIGIN, mode: 'live', at_ms: BEGINS_MS, receipts: state }).text, before)
    for (const text of randomTerms().texts.slice(0, 20)) this.#add(text, [])
    while (roots.length > 0) {
      const minute = roots.splice(0, between(1, 7))
      const fields = { at_ms: BEGINS_MS + this.size * 60_000, root: minuteRoot(minute), batches: minute.length }
      this.#add(makeEntry('receipts', { ...fields, count: 3 * minute.length }).text, minute)
      if (isLikely(50)) this.#add(makeEntry('ticks', { at_ms: BEGINS_MS, q: this.size, batches: 1 }).text, [])
    }
  }

  get size(): number {
    return this.#leaves.length
  }

  /** Returns the root of the first `size` entries. */
  rootAt(size: number): Uint8Array {
    return size === 0 ? sha256(new Uint8Array()) : rootOf(hashTree(sha256, this.#leaves.slice(0, size)))
  }

  async proofOf(receipt: Receipt): Promise<RegisterProof> {
    const place = this.#places.get(batchRootOf(receipt))
    if (place === undefined) throw new Error('the register holds this receipt')
    const size = between(place.index + 1, this.size)
    const path = await inclusionPath(this.#treeAt(size), place.index)
    const witnesses = WITNESSES.filter(() => isLikely(50))
    return makeRegisterProof({ ...place, path, note: noteOf({ size, root: this.rootAt(size) }, witnesses) })
  }

  async consistency(from: number, to: number): Promise<string[]> {
    const hashes = await consistencyProof(this.#treeAt(to), from)
    return hashes.map((hash) => Buffer.from(hash).toString('base64'))
  }

  #add(text: string, roots: readonly string[]): void {
    const index = this.#leaves.push(leafHash(sha256, asciiBytes(text))) - 1
    if (roots.length === 0) return
    const tree = hashTree(sha256, roots.map(fromHex))
    for (const [at, root] of roots.entries()) this.#places.set(root, { index, text, batchPath: pathOf(tree, at) })
  }

  #treeAt(size: number): LogTree {
    const readTile = (level: number, index: number, width: number) => {
      const reach = TILE_WIDTH ** level
      const hashes = Array.from({ length: width }, (_, at) => {
        const first = (index * TILE_WIDTH + at) * reach
        return rootOf(hashTree(sha256, this.#leaves.slice(first, first + reach)))
      })
      return Promise.resolve(joinBytes(...hashes))
    }
    return { sha256, size, readTile }
  }
}

function minuteRoot(roots: readonly string[]): string {
  return toHex(rootOf(hashTree(sha256, roots.map(fromHex))))
}

/** Returns the root that the signature of a receipt covers. */
export function batchRootOf({ signature }: Receipt): string {
  return (JSON.parse(Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString()) as SignedRoot).root
}
