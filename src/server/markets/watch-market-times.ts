import { MARKET_TYPES } from '#core/markets/market.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import { marketHours } from '#server/markets/market-status.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import { repeat } from '#server/repeat.ts'

/**
 * Tells when something has become different by time alone: a payout that was announced counts from now on, a market has
 * opened or closed. The rules need no telling, they go by the clock; it is for those who look. The answer stops it.
 */
export function watchMarketTimes(ctx: Ctx, catalogue: MarketCatalogue): () => Promise<void> {
  let shown = look()

  function look(): string {
    const now = ctx.now()
    const payouts = catalogue.settings.map(({ id, payout }) => `${id}:${payout}`)
    const open = MARKET_TYPES.map((marketType) => marketHours(catalogue, marketType, now).isOpen)
    return [...payouts, ...open].join(' ')
  }

  return repeat(ctx, {
    pauseMs: () => SECOND_MS,
    run: () => {
      const seen = look()
      if (seen !== shown) ctx.announce({ kind: 'markets-changed' })
      shown = seen
      return Promise.resolve()
    },
    failure: 'market times could not be watched',
  })
}
