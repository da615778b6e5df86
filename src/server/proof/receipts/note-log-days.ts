import { DAY_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { newestLogDay, noteLogDay } from '#server/proof/receipts/log-days.queries.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { findTickDay, firstDayOfLog, SETTLED_MS } from '#server/market-data/tick-archive/tick-day.ts'

/**
 * Periodically records the head of each finished day of the tick log, so that anyone can compare it at any later time.
 */
export function noteLogDays(ctx: Ctx): () => Promise<void> {
  return runPeriodically(ctx, {
    pauseMs: () => MINUTE_MS,
    run: () => noteDaysOnce(ctx),
    failure: 'cannot record the finished days of the tick log',
  })
}

/**
 * Creates a function that records finished days, so that the head of a day is recorded as soon as its file exists. The
 * function queries the log once per day, however often it is called.
 */
export function createDayNoter(ctx: Ctx): () => Promise<void> {
  let notedDay = -1
  return async () => {
    const day = Math.floor((ctx.now() - SETTLED_MS) / DAY_MS)
    if (day === notedDay) return
    await noteDaysOnce(ctx)
    notedDay = day
  }
}

/** Records every finished day that is not recorded yet. */
export async function noteDaysOnce(ctx: Ctx): Promise<void> {
  const newest = await newestLogDay(ctx.db)
  const first = newest === null ? await firstDayOfLog(ctx.db) : newest + 1
  if (first === null) return
  for (let day = first; (day + 1) * DAY_MS < ctx.now(); day += 1) {
    const found = await findTickDay(ctx.db, instant(day * DAY_MS), ctx.now())
    if (found.ok) await noteLogDay(ctx.db, day, found.value, ctx.now())
    // The day is over, but its last batch may still be written. Days without ticks or with deleted ticks are skipped.
    else if (found.refusal === 'tick_day_open') return
  }
}
