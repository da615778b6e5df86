import { MARKET_TYPES } from '#core/markets/market.ts'
import { hasSplitBetween } from '#core/markets/splits/splits.ts'
import { DAY_MS, later, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

/**
 * Notifies when the passing of time alone changes something shown to users. Announced trade terms take effect, a market
 * opens or closes, or the first price after a split arrives. Also reads which terms are in the register. The rules
 * themselves use the clock and need no notification. The returned function stops the watch.
 */
export function watchMarketTimes(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  ticks: Pick<Ticks, 'latest'>,
): () => Promise<void> {
  let shown = look()

  function look(): string {
    const now = ctx.now()
    const changed = catalogue.terms.lastChange(now)
    const open = MARKET_TYPES.map((marketType) => marketHours(catalogue, marketType, now).isOpen)
    // The day's figures change their basis with the first price after a split.
    const split = catalogue.symbols.filter(({ id, splits }) => {
      const latest = ticks.latest(id)
      return latest !== null && hasSplitBetween(splits, later(now, -DAY_MS), latest.time)
    })
    return [changed, ...open, ...split.map(({ code }) => code)].join(' ')
  }

  return runPeriodically(ctx, {
    pauseMs: () => SECOND_MS,
    run: async () => {
      const seen = look()
      if (seen !== shown) ctx.publish({ kind: 'markets-changed' })
      shown = seen
      await catalogue.refreshLogged()
    },
    failure: 'market times could not be watched',
  })
}
