import { typicalPrice } from '#core/indicators/price-source.ts'
import type { PriceBar, Rule } from '#core/indicators/rule.ts'

/** The mean price of a session, weighted by volume. No value while the session has no volume. */
export function volumeWeightedPrice(sessionStart: (time: number) => number) {
  const start = { session: null as number | null, money: 0, volume: 0 }
  return {
    start,
    next: (before, bar) => {
      const session = sessionStart(bar.time)
      const { money, volume } = session === before.session ? before : start
      const state = { session, money: money + typicalPrice(bar) * bar.volume, volume: volume + bar.volume }
      return [state, state.volume === 0 ? null : state.money / state.volume]
    },
  } satisfies Rule<PriceBar, typeof start, number>
}
