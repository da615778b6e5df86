import { DAY_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { newestLogDay, noteLogDay } from '#server/proof/receipts/log-days.queries.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'
import { findTickDay, firstDayOfLog, SETTLED_MS } from '#server/market-data/tick-archive/tick-day.ts'

/** Notes where each day of the tick log ended, once it is over: heads that can be compared for ever. */
export function noteLogDays(ctx: Ctx): () => Promise<void> {
  return repeat(ctx, {
    pauseMs: () => MINUTE_MS,
    run: () => noteDaysOnce(ctx),
    failure: 'the days of the tick log could not be noted',
  })
}

/**
 * Creates a function that notes what days are over, so that a head is there as soon as the file of its day. It looks once
 * after each day's end, however often it is called.
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

/** Every day that is over and not noted yet. */
export async function noteDaysOnce(ctx: Ctx): Promise<void> {
  const newest = await newestLogDay(ctx.db)
  const first = newest === null ? await firstDayOfLog(ctx.db) : newest + 1
  if (first === null) return
  for (let day = first; (day + 1) * DAY_MS < ctx.now(); day += 1) {
    const found = await findTickDay(ctx.db, instant(day * DAY_MS), ctx.now())
    if (found.ok) await noteLogDay(ctx.db, day, found.value, ctx.now())
    // Over, but its last batch may still be written; a day without ticks or already let go of is passed over.
    else if (found.refusal === 'tick_day_open') return
  }
}
