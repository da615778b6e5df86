import { calls } from '#contract/calls.ts'
import { MAX_RECENT_TICKS, newestOfEachSecond } from '#core/markets/recent-ticks.ts'
import { MAX_CLOCK_SKEW_MS, type Tick } from '#core/markets/tick.ts'
import { priceNumber } from '#core/money/price.ts'
import { refuse } from '#core/result.ts'
import { instant, later, SECOND_MS } from '#core/time/instant.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'

/**
 * 150 s: the longest span read at once, so that other requests get their turn. The newest portion is in memory, which
 * reaches back 180 s.
 */
const PORTION_MS = 150 * SECOND_MS
/** 50,000 ticks: more than any source sends in 150 s. If a portion has more ticks, only the newest are read. */
const MAX_TICKS_OF_PORTION = 50_000

/** Registers the call for the newest ticks of a symbol. */
export function recentTicksRoutes(register: Register, parts: MarketParts): void {
  const { ctx, catalogue } = parts
  const take = createRateLimiter(READ_LIMITS.recent_ticks)

  register(calls.recentTicks, async ({ body, from }) => {
    const symbol = catalogue.findKnown(body.symbol)
    if (!symbol) return refuse('symbol_unknown')
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const all = await readRecent(parts, symbol.id, body.seconds)
    const isThinned = all.length > MAX_RECENT_TICKS
    const shown = isThinned ? newestOfEachSecond(all) : all
    return answer(
      shown.map(({ seq, time, price }): [number, number, number] => [seq, time, priceNumber(price, symbol.decimals)]),
      { meta: { max_tick_age_ms: symbol.maxTickAgeMs, thinned: isThinned } },
    )
  })
}

async function readRecent({ ctx, ticks }: MarketParts, symbolId: number, seconds: number): Promise<Tick[]> {
  const now = ctx.now()
  // The clock of a source can be ahead of ours.
  const end = later(now, MAX_CLOCK_SKEW_MS)
  const portions: Tick[][] = []
  for (let from: number = now - seconds * SECOND_MS; from <= end; from += PORTION_MS) {
    const through = Math.min(from + PORTION_MS - 1, end)
    portions.push(await ticks.between(symbolId, instant(from), instant(through), MAX_TICKS_OF_PORTION))
  }
  return portions.flat()
}
