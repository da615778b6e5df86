import { MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'

/** Calls an address of the operator once a minute. A service there raises the alarm when the calls stop. */
export function callHeartbeat(ctx: Ctx, outgoing: Outgoing, url: string): () => Promise<void> {
  return runPeriodically(ctx, {
    pauseMs: () => MINUTE_MS,
    run: async () => {
      const reply = await outgoing.send(url, { method: 'GET' })
      if (!reply.ok) ctx.log.warn({ failure: reply.failure, status: reply.status }, 'the heartbeat was not accepted')
    },
    failure: 'the heartbeat was not sent',
  })
}
