import { availableParallelism } from 'node:os'
import { hashInThread, MAX_HASH_THREADS, verifyInThread } from '#server/platform/credentials/hash-threads.ts'
import { AT_ONCE_LIMITS } from '#server/platform/limits/limits.ts'
import { type Asker, createFairQueue } from '#server/platform/limits/fair-queue.ts'

/**
 * Argon2id as recommended by OWASP: 19 MiB of memory, two passes, no parallel computation. Argon2id is the library's
 * default.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const SALT_BYTES = 16
/** Concurrent hashes: at most half of the cores, because trading needs them too. */
const MAX_CONCURRENT_HASHES = Math.min(MAX_HASH_THREADS, Math.max(1, Math.floor(availableParallelism() / 2)))
const WAITING = { perAsker: AT_ONCE_LIMITS.hashes_asker.max, perKind: AT_ONCE_LIMITS.hashes_kind.max }

/**
 * Computes slow hashes of passwords, PINs and codes. Requesters get fair shares of the computing time. Throws a
 * `BusyError` when too many hashes wait.
 */
export interface Passwords {
  hash(secret: string, asker: Asker): Promise<string>
  /** When `stored` is null (no such account), does the same work and returns false. */
  verify(stored: string | null, secret: string, asker: Asker): Promise<boolean>
}

/** The cost parameters of a hash. */
export type HashCost = typeof COST

export function createPasswords(
  randomBytes: (count: number) => Uint8Array,
  cost: HashCost = COST,
  atOnce = MAX_CONCURRENT_HASHES,
): Passwords {
  const queue = createFairQueue({ atOnce, ...WAITING })
  const make = (secret: string): Promise<string> => hashInThread(secret, { ...cost, salt: randomBytes(SALT_BYTES) })
  let dummyHash: Promise<string> | null = null
  return {
    hash: (secret, asker) => queue(asker, () => make(secret)),
    verify: (stored, secret, asker) =>
      queue(asker, async () => {
        dummyHash ??= make('nobody')
        const isRight = await verifyInThread(stored ?? (await dummyHash), secret)
        return stored !== null && isRight
      }),
  }
}
