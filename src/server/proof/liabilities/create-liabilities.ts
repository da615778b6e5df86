import { DAY_MS, type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { firstDay } from '#server/proof/liabilities/liabilities.queries.ts'
import { dayOf, takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

/** After a start the server has better things to do for a moment. */
const FIRST_AFTER_MS = 1_000

export interface Liabilities {
  /** The first day there is a proof of: `2026-11-21`; empty while there is none. */
  readonly since: string
  /** When the next one is due. */
  nextAt(): Instant
  /** Takes one at the beginning of each UTC day, today's at once when there is none. The answer stops it. */
  start(): () => Promise<void>
}

export async function createLiabilities(ctx: Ctx): Promise<Liabilities> {
  let since = await firstDay(ctx.db)
  let doneDay = -1
  let isFirst = true

  /** A day that has just begun, or one that was slept through, is noticed within the minute. */
  const pauseMs = (): number => {
    if (isFirst) return FIRST_AFTER_MS
    return Math.min(MINUTE_MS, DAY_MS - (ctx.now() % DAY_MS))
  }
  const run = async (): Promise<void> => {
    isFirst = false
    if (dayOf(ctx.now()) === doneDay) return
    const startedAt = ctx.now()
    const snapshot = await takeSnapshot(ctx)
    if (snapshot.kind === 'ledger-unsound') {
      ctx.log.error({}, 'what is owed was not published: the ledger does not add up')
      return
    }
    const { day, total, leaves } = snapshot.record
    doneDay = Date.parse(day) / DAY_MS
    if (since === '') since = day
    if (snapshot.kind === 'taken') {
      ctx.log.info({ day, total, leaves, tookMs: ctx.now() - startedAt }, 'what is owed was published')
    }
  }
  return {
    get since() {
      return since
    },
    nextAt: () => instant(ctx.now() - (ctx.now() % DAY_MS) + DAY_MS),
    start: () => repeat(ctx, { pauseMs, run, failure: 'what is owed could not be published' }),
  }
}
