import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

/**
 * A check may take a twentieth of the time: the next one waits twenty times as long as the last one took. What is new
 * meanwhile is more the longer it waits, so with a larger factor a busy site would be checked more and more rarely.
 */
const REST_FACTOR = 20
/** Not even one that read everything keeps the next one waiting for longer: see `checkBooks` for how often that is. */
const MOST_REST_MS = 5 * MINUTE_MS

/**
 * Checks the ledger again and again and tells what it found. In between it has the books recounted, a portion at a time, while there is
 * something to recount. A check that fails to run counts as neither clean nor broken: it is logged and tried again. The
 * answer stops the watch, after a check or a portion that is under way.
 */
export function watchLedger(options: {
  ctx: Ctx
  check: () => Promise<LedgerReport>
  /** Reads a portion; answers how long to rest until the next one, in ms, or null when there is none before the next check. */
  recount: () => Promise<number | null>
  everyMs: number
  onReport: (report: LedgerReport) => void
}): () => Promise<void> {
  const { ctx, check, recount, everyMs, onReport } = options
  let lastTookMs = 0
  let checkAt = later(ctx.now(), everyMs)
  let portionAt: Instant | null = null

  async function checkNow(): Promise<void> {
    const startedAt = ctx.now()
    try {
      const report = await check()
      lastTookMs = ctx.now() - startedAt
      onReport(report)
    } finally {
      checkAt = later(ctx.now(), Math.max(everyMs, Math.min(MOST_REST_MS, REST_FACTOR * lastTookMs)))
    }
  }

  return repeat(ctx, {
    pauseMs: () => Math.max(0, Math.min(checkAt, portionAt ?? checkAt) - ctx.now()),
    failure: 'the ledger check could not run',
    run: async () => {
      // One that fails is tried again after the next check.
      portionAt = null
      if (ctx.now() >= checkAt) await checkNow()
      const restMs = await recount()
      if (restMs !== null) portionAt = later(ctx.now(), restMs)
    },
  })
}
