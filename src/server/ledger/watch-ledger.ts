import { MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import type { LedgerReport } from '#server/ledger/check-ledger.ts'
import { repeat } from '#server/repeat.ts'

/**
 * A check may take a twentieth of the time: the next one waits twenty times as long as the last one took. What is new
 * meanwhile is more the longer it waits, so with a larger factor a busy site would be checked more and more rarely.
 */
const REST_FACTOR = 20
/** Not even one that read everything keeps the next one waiting for longer: see `checkBooks` for how often that is. */
const MOST_REST_MS = 5 * MINUTE_MS

/**
 * Checks the ledger again and again and tells what it found. A check that fails to run counts as neither clean nor
 * broken: it is logged and tried again. The answer stops the watch, after a check that is under way.
 */
export function watchLedger(options: {
  ctx: Ctx
  check: () => Promise<LedgerReport>
  everyMs: number
  onReport: (report: LedgerReport) => void
}): () => Promise<void> {
  const { ctx, check, everyMs, onReport } = options
  let lastTookMs = 0
  return repeat(ctx, {
    pauseMs: () => Math.max(everyMs, Math.min(MOST_REST_MS, REST_FACTOR * lastTookMs)),
    failure: 'the ledger check could not run',
    run: async () => {
      const startedAt = ctx.now()
      const report = await check()
      lastTookMs = ctx.now() - startedAt
      onReport(report)
    },
  })
}
