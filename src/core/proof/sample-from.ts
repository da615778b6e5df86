import { numberAt } from '#core/proof/bytes.ts'
import type { Draw } from '#core/proof/split-balance.ts'

const RANGE = 2n ** 64n
const POOL_BYTES = 8 * 4096

/**
 * Creates a sampler on random bytes, which are fetched in large blocks. Numbers that would make some results more
 * likely are rejected.
 */
export function sampleFrom(randomBytes: (count: number) => Uint8Array): Draw {
  let pool = new Uint8Array(0)
  let at = 0
  const next = (): bigint => {
    if (at >= pool.length) {
      pool = new Uint8Array(randomBytes(POOL_BYTES))
      at = 0
    }
    at += 8
    return numberAt(pool, at - 8)
  }
  return (below) => {
    const fair = RANGE - (RANGE % below)
    let drawn = next()
    while (drawn >= fair) drawn = next()
    return drawn % below
  }
}
