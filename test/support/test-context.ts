import { createHash, randomBytes } from 'node:crypto'
import { type Instant, instant } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

/** A Wednesday, 15:00 UTC. The New York exchange and the forex market are open. */
export const TEST_START: Instant = instant(Date.UTC(2026, 2, 18, 15))

export interface TestContext extends Ctx {
  readonly clock: FakeClock
  /** All events published so far, in order. */
  readonly announced: DomainEvent[]
  /** All log lines so far. */
  readonly lines: { level: string; facts: object; message: string }[]
}

/** Creates a context on a test database with a clock that stands still, numbered ids and reproducible randomness. */
export function createTestContext(db: Db, startAt: Instant = TEST_START): TestContext {
  const clock = new FakeClock(startAt)
  const announced: DomainEvent[] = []
  const lines: TestContext['lines'] = []
  const listeners = new Set<(announcement: DomainEvent) => void>()
  let ids = 0
  let draws = 0
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, facts, message })
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  return {
    db,
    clock,
    announced,
    lines,
    log,
    // The vault has its own random numbers, so that encryption does not change the values a test gets.
    vault: createVault([new Uint8Array(32).fill(7)], (count) => new Uint8Array(randomBytes(count))),
    now: () => clock.now(),
    newId() {
      ids += 1
      return `0195a000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}`
    },
    randomBytes(count) {
      draws += 1
      return createHash('shake256', { outputLength: count }).update(`draw ${draws}`).digest()
    },
    publish(announcement) {
      announced.push(announcement)
      for (const listener of listeners) listener(announcement)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
