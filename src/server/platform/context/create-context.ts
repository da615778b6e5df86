import { randomBytes, randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log, MachineClock, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/**
 * Size of the pool of random bytes. One system call per order for a few bytes would cost more than accepting the order.
 */
const POOL_BYTES = 4_096
/** A request for more random bytes goes to the system directly. */
const MAX_POOLED_BYTES = 64
const pool = Buffer.alloc(POOL_BYTES)
let pooledAt = POOL_BYTES

/** Returns system randomness. Each pooled byte is used once and then cleared. */
function pooledRandomBytes(count: number): Uint8Array {
  if (count > MAX_POOLED_BYTES) return new Uint8Array(randomBytes(count))
  const from = draw(count)
  const given = new Uint8Array(count)
  given.set(pool.subarray(from, from + count))
  pool.fill(0, from, from + count)
  return given
}

function randomUint32(): number {
  const from = draw(4)
  const word = pool.readUInt32LE(from)
  pool.writeUInt32LE(0, from)
  return word
}

/** The offset of the next unused bytes in the pool. */
function draw(count: number): number {
  if (pooledAt + count > POOL_BYTES) {
    randomFillSync(pool)
    pooledAt = 0
  }
  pooledAt += count
  return pooledAt - count
}

/** By default the UUID library would make a system call for every eight random 32-bit numbers. */
const ids = new V7Generator({ nextUint32: randomUint32 })

/** Real time and randomness, for code that needs nothing else. */
export function createTools(): { readonly clock: MachineClock } & Pick<Ctx, 'randomBytes'> {
  return { clock: systemClock, randomBytes: pooledRandomBytes }
}

/** The real context. `clock` defaults to the machine's, which is enough for short commands. */
export function createContext({
  db,
  log,
  vault,
  clock = systemClock,
}: {
  readonly db: Db
  readonly log: Log
  readonly vault: Vault
  readonly clock?: ServerClock
}): Ctx {
  const listeners = new Set<(announcement: DomainEvent) => void>()
  return {
    db,
    log,
    vault,
    clock,
    now: () => clock.now(),
    newId: () => ids.generateOrResetWithTs(clock.now()).toString(),
    randomBytes: pooledRandomBytes,
    publish(announcement) {
      for (const listener of listeners) {
        try {
          listener(announcement)
        } catch (error) {
          // The event has happened, so a failing listener must affect neither other listeners nor the caller.
          log.error({ err: error, kind: announcement.kind }, 'a listener failed to handle an announcement')
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
