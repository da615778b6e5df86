import { boundsOfAnswer, type ClockBounds } from '#core/time/clock-bounds.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { DATABASE_CLOCK, databaseTime, type MeasuredClock } from '#server/market-data/clock/clock.queries.ts'
import type { FeedClocks } from '#server/market-data/feeds/base/feed-clocks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { witnessTimes } from '#server/register/witnesses.queries.ts'

const RECENT_MS = 10 * MINUTE_MS

/**
 * Asks each clock for its time once, and leaves out a clock that does not reply. The clocks of providers are used. When
 * no provider gives its time, the clocks of the witnesses of other parties are used. Empty when none of these is known.
 */
export async function measureClocks(ctx: Ctx, feedClocks: FeedClocks): Promise<readonly MeasuredClock[]> {
  const delays = feedClocks.takeShortestDelays()
  const answers = await Promise.all(
    feedClocks.remotes.map(async (clock) => {
      const answer = await clock.ask().catch(() => null)
      return answer === null ? [] : [[clock.name, boundsOfAnswer(answer)] as const]
    }),
  )
  const providers = new Map<string, ClockBounds>([...delays].map(([name, highMs]) => [name, { lowMs: null, highMs }]))
  for (const [name, { lowMs, highMs }] of answers.flat()) {
    const byStream = providers.get(name)?.highMs ?? highMs
    // When our clock was set between a tick and this reply, the delay of the tick contradicts the reply. The reply is
    // newer and counts.
    providers.set(name, { lowMs, highMs: byStream < lowMs ? highMs : Math.min(byStream, highMs) })
  }
  // A feed that computes its prices does not need a correct clock. So other clocks are asked only when providers send
  // prices.
  const needsOthers = answers.flat().length === 0 && delays.size > 0
  const others = needsOthers ? await witnessClocks(ctx) : []
  const counted = [...providers, ...others].map(([source, bounds]) => ({ source, ...bounds }))
  return counted.length === 0 ? [] : [...counted, await databaseClock(ctx)]
}

/**
 * Returns the clocks of witnesses from their recent cosignatures. A witness cosigned after the checkpoint was made and
 * before now. Its time has whole seconds.
 */
async function witnessClocks(ctx: Ctx): Promise<[string, ClockBounds][]> {
  const now = ctx.now()
  const times = await witnessTimes(ctx.db, now - RECENT_MS)
  return times.map(({ name, checkpointMs, seconds }) => {
    const time = seconds * SECOND_MS
    return [name, boundsOfAnswer({ requestedAt: checkpointMs, answeredAt: now, time }, SECOND_MS)]
  })
}

async function databaseClock(ctx: Ctx): Promise<MeasuredClock> {
  const requestedAt = ctx.now()
  const time = await databaseTime(ctx.db)
  return { source: DATABASE_CLOCK, ...boundsOfAnswer({ requestedAt, answeredAt: ctx.now(), time }) }
}
