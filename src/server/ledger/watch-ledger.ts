import type { Ctx } from '#server/context.ts'
import type { LedgerReport } from '#server/ledger/check-ledger.ts'
import { repeat } from '#server/repeat.ts'

/** A check may take at most this share of the time: the next one waits fifty times as long as the last one took. */
const REST_FACTOR = 50

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
    pauseMs: () => Math.max(everyMs, REST_FACTOR * lastTookMs),
    failure: 'the ledger check could not run',
    run: async () => {
      const startedAt = ctx.now()
      const report = await check()
      lastTookMs = ctx.now() - startedAt
      if (!report.clean) {
        ctx.log.error(
          { mismatches: report.mismatches, sumOfAll: report.sumOfAll, unknownAccounts: report.unknownAccounts },
          'the ledger does not add up: no new orders are taken',
        )
      }
      onReport(report)
    },
  })
}
