import { randomBytes, randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import type { Announcement } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log, MachineClock, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** Of what the operating system gives at once; asking it for a few bytes for each order costs more than taking the order. */
const POOL_BYTES = 4_096
/** More than that is asked for by itself. */
const MOST_POOLED = 64
const pool = Buffer.alloc(POOL_BYTES)
let pooledAt = POOL_BYTES

/** Real chance, each byte of it given out once and not kept. */
function chance(count: number): Uint8Array {
  if (count > MOST_POOLED) return new Uint8Array(randomBytes(count))
  const from = draw(count)
  const given = new Uint8Array(count)
  given.set(pool.subarray(from, from + count))
  pool.fill(0, from, from + count)
  return given
}

function chanceOfWord(): number {
  const from = draw(4)
  const word = pool.readUInt32LE(from)
  pool.writeUInt32LE(0, from)
  return word
}

/** Where in the pool the next bytes are that nobody had. */
function draw(count: number): number {
  if (pooledAt + count > POOL_BYTES) {
    randomFillSync(pool)
    pooledAt = 0
  }
  pooledAt += count
  return pooledAt - count
}

/** By itself the library asks the system for eight words at a time. */
const ids = new V7Generator({ nextUint32: chanceOfWord })

/** Real time and real chance, for what needs nothing else. */
export function createTools(): { readonly clock: MachineClock } & Pick<Ctx, 'randomBytes'> {
  return { clock: systemClock, randomBytes: chance }
}

/** The real context. `clock` is that of the machine unless told: a command is soon over. */
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
  const listeners = new Set<(announcement: Announcement) => void>()
  return {
    db,
    log,
    vault,
    clock,
    now: () => clock.now(),
    newId: () => ids.generateOrResetWithTs(clock.now()).toString(),
    randomBytes: chance,
    announce(announcement) {
      for (const listener of listeners) {
        try {
          listener(announcement)
        } catch (error) {
          // What happened has happened: one listener's fault must not keep it from the others, nor fail the caller.
          log.error({ err: error, kind: announcement.kind }, 'an announcement was not heard')
        }
      }
    },
    onAnnouncement(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
