import type { Server } from 'node:net'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 2 s without a refused connection mean that there is room again. */
const QUIET_MS = 2 * SECOND_MS

/** Reports when connections are refused because the limit is reached. The returned function stops it. */
export function watchConnections(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  faults: FaultRegistry,
  server: Pick<Server, 'on'>,
): () => Promise<void> {
  let turnedAwayAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    turnedAwayAt = ctx.clock.steady()
    faults.set('connections_full', {})
  })
  return runPeriodically(ctx, {
    pauseMs: () => SECOND_MS,
    run: () => {
      if (ctx.clock.steady() - turnedAwayAt > QUIET_MS) faults.set('connections_full', null)
      return Promise.resolve()
    },
    failure: 'connections could not be watched',
  })
}
