import { SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultRegistry, FaultKind } from '#server/platform/faults/fault-registry.ts'

/** 10 s. The server is ready only if the tick log has reported within this time. */
const PRICES_SILENT_MS = 10 * SECOND_MS

export interface ReadinessParts {
  readonly ctx: Pick<Ctx, 'now'>
  /** The current faults of the database and the clock. */
  readonly faults: Pick<FaultRegistry, 'stopping'>
  /** Returns whether this server accepts orders. Always true for a server that neither takes nor settles orders. */
  readonly isAtWork: () => boolean
  /** When the tick log last reported. A report without new prices counts. */
  readonly lastPriceReportAt: () => Instant | null
}

export type NotReady = 'stopping' | 'not at work' | 'no prices' | FaultKind

export interface Readiness {
  /** Returns why calls should go to another node, or null when this node is ready. */
  reason(): NotReady | null
  /** Marks the server as started. From now on it is ready only while prices arrive. */
  start(): void
  /** Asks load balancers to send calls to other nodes. Calls that still arrive are answered. */
  drain(): void
}

/** Decides whether this server should receive calls. `/readyz` returns the result. */
export function createReadiness({ ctx, faults, isAtWork, lastPriceReportAt }: ReadinessParts): Readiness {
  let isDraining = false
  let hasStarted = false

  return {
    reason() {
      if (isDraining) return 'stopping'
      if (faults.stopping !== null) return faults.stopping
      if (!isAtWork()) return 'not at work'
      if (!hasStarted) return null
      const lastReportAt = lastPriceReportAt()
      return lastReportAt === null || ctx.now() - lastReportAt > PRICES_SILENT_MS ? 'no prices' : null
    },
    start() {
      hasStarted = true
    },
    drain() {
      isDraining = true
    },
  }
}
