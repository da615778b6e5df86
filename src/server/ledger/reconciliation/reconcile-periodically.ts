import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/**
 * Checks may use a twentieth of the time: the pause is twenty times the duration of the last check. A longer pause
 * leaves more new rows for the next check. So a larger factor would make checks of a busy site ever rarer.
 */
const REST_FACTOR = 20
/**
 * The longest pause, also after a check that read everything. `reconcile` describes how often a check reads everything.
 */
const MAX_REST_MS = 5 * MINUTE_MS

/**
 * Checks the ledger periodically and reports each result. Between checks it recounts the ledger a portion at a time,
 * while a recount is under way. A check that fails to run counts as neither clean nor broken: it is logged and retried.
 * The returned function stops the watch after the running check or portion.
 */
export function reconcilePeriodically(options: {
  ctx: Ctx
  check: () => Promise<LedgerReport>
  /**
   * Reads a portion. Returns the pause in ms until the next portion, or null when no portion runs before the next
   * check.
   */
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
      checkAt = later(ctx.now(), Math.max(everyMs, Math.min(MAX_REST_MS, REST_FACTOR * lastTookMs)))
    }
  }

  return runPeriodically(ctx, {
    pauseMs: () => Math.max(0, Math.min(checkAt, portionAt ?? checkAt) - ctx.now()),
    failure: 'the ledger check could not run',
    run: async () => {
      // A failed portion is retried after the next check.
      portionAt = null
      if (ctx.now() >= checkAt) await checkNow()
      const restMs = await recount()
      if (restMs !== null) portionAt = later(ctx.now(), restMs)
    },
  })
}
