import { fromBase64, HASH_BYTES, toBase64 } from '#core/proof/bytes.ts'

/** The state of a log: C2SP tlog-checkpoint, without extension lines. */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string
  /** The number of entries. */
  readonly size: number
  /** The root of the tree over all entries (RFC 6962, section 2.1). */
  readonly root: Uint8Array
}

/** Writes the three lines that a log and its witnesses sign. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Reads the three lines. Returns null when they are malformed. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', sizeText = '', rootText = '', end, ...more] = text.split('\n')
  const size = parseSize(sizeText)
  const root = fromBase64(rootText)
  if (origin === '' || size === null || root?.length !== HASH_BYTES || end !== '' || more.length > 0) return null
  return { origin, size, root }
}

/** Reads a number of entries. Returns null for anything but a decimal without leading zeros. */
export function parseSize(text: string): number | null {
  const size = Number(text)
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(size) ? size : null
}
