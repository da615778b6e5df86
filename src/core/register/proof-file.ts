import { fromBase64, HASH_BYTES, toBase64 } from '#core/proof/bytes.ts'
import { parseSize } from '#core/register/checkpoint.ts'

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'
/** 53: the number of hashes of a path in a tree of 2^53 entries. */
const MAX_HASHES = 53

/** The proof that a log has an entry: C2SP tlog-proof. */
export interface InclusionProof {
  readonly index: number
  /** The proof path, from the leaf's sibling upwards. */
  readonly path: readonly Uint8Array[]
  /** The checkpoint with its signatures. */
  readonly note: string
}

export function formatProof({ index, path, note }: InclusionProof): string {
  return [FIRST_LINE, `index ${index}`, ...path.map(toBase64), '', note].join('\n')
}

/** Reads a proof. Returns null when it is malformed. Ignores its extra line, because no key signs it. */
export function parseProof(text: string): InclusionProof | null {
  const end = text.indexOf('\n\n')
  if (end === -1) return null
  const [first, ...lines] = text.slice(0, end).split('\n')
  if (lines[0]?.startsWith('extra ')) lines.shift()
  const index = parseSize(/^index (\d+)$/.exec(lines.shift() ?? '')?.[1] ?? '')
  const path = lines.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES)
  const hashes = path.filter((hash) => hash !== null)
  if (first !== FIRST_LINE || index === null) return null
  if (hashes.length < lines.length || hashes.length > MAX_HASHES) return null
  return { index, path: hashes, note: text.slice(end + 2) }
}
