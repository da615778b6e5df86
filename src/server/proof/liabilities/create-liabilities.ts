import { DAY_MS, type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { firstDay } from '#server/proof/liabilities/liabilities.queries.ts'
import { dayOf, takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 1 s, so that this work does not slow down a starting server. */
const FIRST_AFTER_MS = 1_000

export interface Liabilities {
  /** The first day with a proof, e.g. `2026-11-21`. Empty while there is none. */
  readonly since: string
  /** The instant of the next proof. */
  nextAt(): Instant
  /**
   * Creates a proof at the start of each UTC day. If today's proof is missing, creates it after 1 s. Returns a function
   * that stops the daily proofs.
   */
  start(): () => Promise<void>
}

export async function createLiabilities(ctx: Ctx): Promise<Liabilities> {
  let since = await firstDay(ctx.db)
  let doneDay = -1
  let isFirst = true

  /**
   * Returns the pause until the next attempt: at most a minute, so that the server notices a new day soon, even after
   * the machine slept.
   */
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
      ctx.log.error({}, 'liabilities were not published: the ledger does not reconcile')
      return
    }
    const { day, total, leaves } = snapshot.record
    doneDay = Date.parse(day) / DAY_MS
    if (since === '') since = day
    if (snapshot.kind === 'taken') {
      ctx.log.info({ day, total, leaves, tookMs: ctx.now() - startedAt }, 'published the liabilities')
    }
  }
  return {
    get since() {
      return since
    },
    nextAt: () => instant(ctx.now() - (ctx.now() % DAY_MS) + DAY_MS),
    start: () => runPeriodically(ctx, { pauseMs, run, failure: 'cannot publish the liabilities' }),
  }
}
