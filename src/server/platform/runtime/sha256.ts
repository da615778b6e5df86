import { hash } from 'node:crypto'
import type { Sha256 } from '#core/proof/bytes.ts'

/** What the proofs of `core/proof` are computed with on the server and in commands. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

/** The same of a text in ASCII, in hexadecimal: Node gives texts in a third of the time that buffers take. */
export function sha256OfText(text: string): string {
  return hash('sha256', text, 'hex')
}
