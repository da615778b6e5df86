import { hash } from 'node:crypto'
import type { Sha256 } from '#core/proof/bytes.ts'

/** What the proofs of `core/proof` are computed with on the server and in commands. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')
