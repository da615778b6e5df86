import type { Ctx } from '#server/context.ts'
import { type LedgerReport, checkLedger } from '#server/ledger/check-ledger.ts'

/** A check may take at most this share of the time: the next one waits fifty times as long as the last one took. */
const REST_FACTOR = 50

/**
 * Checks the ledger again and again and tells what it found. A check that fails to run counts as neither clean nor
 * broken: it is logged and tried again. The answer stops the watch.
 */
export function watchLedger(options: {
  ctx: Ctx
  everyMs: number
  onReport: (report: LedgerReport) => void
}): () => void {
  const { ctx, everyMs, onReport } = options
  let stopped = false
  let cancel: (() => void) | null = null
  const check = async () => {
    const startedAt = ctx.now()
    try {
      const report = await checkLedger(ctx.db)
      if (!report.clean) {
        ctx.log.error(
          { mismatches: report.mismatches, sumOfAll: report.sumOfAll, unknownAccounts: report.unknownAccounts },
          'the ledger does not add up: no new orders are taken',
        )
      }
      if (!stopped) onReport(report)
    } catch (error) {
      if (!stopped) ctx.log.error({ error }, 'the ledger check could not run')
    }
    if (!stopped) schedule(Math.max(everyMs, REST_FACTOR * (ctx.now() - startedAt)))
  }
  const schedule = (ms: number) => {
    cancel = ctx.clock.after(ms, () => void check())
  }
  schedule(everyMs)
  return () => {
    stopped = true
    cancel?.()
  }
}
