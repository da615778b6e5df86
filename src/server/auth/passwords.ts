import { availableParallelism } from 'node:os'
import { hashInThread, MOST_HASH_THREADS, verifyInThread } from '#server/auth/hash-threads.ts'
import { limitAtOnce } from '#server/limit-at-once.ts'

/** Argon2id as OWASP has it: 19 MiB, two passes, one lane. Argon2id is the library's default kind. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const SALT_BYTES = 16
/** Hashes computed at once: never more than half of the cores, which trading needs too. */
const MOST_AT_ONCE = Math.min(MOST_HASH_THREADS, Math.max(1, Math.floor(availableParallelism() / 2)))
/** Waiting hashes: beyond these the answer is "busy" at once, before the wait is longer than people have patience. */
const MOST_WAITING = 100

/** Too many hashes are waiting. The edge answers with the refusal `busy`. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** Slow hashes for passwords, PINs and codes. Throws a `BusyError` when too many are asked for. */
export interface Passwords {
  hash(secret: string): Promise<string>
  /** With `null` (nobody has that name) it does the same work and answers false. */
  verify(stored: string | null, secret: string): Promise<boolean>
}

/** How much work a hash is. */
export type HashCost = typeof COST

export function createPasswords(
  randomBytes: (count: number) => Uint8Array,
  cost: HashCost = COST,
  atOnce = MOST_AT_ONCE,
): Passwords {
  const inTurn = limitAtOnce({
    atOnce,
    beforeWaiting: (waiting) => {
      if (waiting >= MOST_WAITING) throw new BusyError('too many hashes are waiting')
    },
  })
  const make = (secret: string): Promise<string> => hashInThread(secret, { ...cost, salt: randomBytes(SALT_BYTES) })
  let nobody: Promise<string> | null = null
  return {
    hash: (secret) => inTurn(() => make(secret)),
    verify: (stored, secret) =>
      inTurn(async () => {
        nobody ??= make('nobody')
        const isRight = await verifyInThread(stored ?? (await nobody), secret)
        return stored !== null && isRight
      }),
  }
}
