import { SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultBook, FaultKind } from '#server/platform/faults/fault-book.ts'

/** The log of prices has to have said something within this time. */
const PRICES_SILENT_MS = 10 * SECOND_MS

export interface ReadinessParts {
  readonly ctx: Pick<Ctx, 'now'>
  /** What is wrong with the database or the clock. */
  readonly faults: Pick<FaultBook, 'stopping'>
  /** Whether it does what it is for: taking orders, where it takes any. */
  readonly isAtWork: () => boolean
  /** When the log of prices last said something, if only that nothing is new. */
  readonly pricesHeardAt: () => Instant | null
}

export type NotReady = 'stopping' | 'not at work' | 'no prices' | FaultKind

export interface Readiness {
  /** Why calls should go elsewhere; null when they need not. */
  reason(): NotReady | null
  /** The server has started: from now on the prices count as well. */
  start(): void
  /** From now on calls should go elsewhere, though those that come are answered. */
  drain(): void
}

/** Whether this server should be given work: what `/readyz` says. */
export function createReadiness({ ctx, faults, isAtWork, pricesHeardAt }: ReadinessParts): Readiness {
  let isDraining = false
  let hasStarted = false

  return {
    reason() {
      if (isDraining) return 'stopping'
      if (faults.stopping !== null) return faults.stopping
      if (!isAtWork()) return 'not at work'
      if (!hasStarted) return null
      const heardAt = pricesHeardAt()
      return heardAt === null || ctx.now() - heardAt > PRICES_SILENT_MS ? 'no prices' : null
    },
    start() {
      hasStarted = true
    },
    drain() {
      isDraining = true
    },
  }
}
