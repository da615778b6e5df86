import type { MarketList } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { useMarketStatus } from '#web/live/live-store.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { type MarketClock, marketClock } from '#web/symbols/market-clock.ts'

/** Returns the state of a market, updated every second. */
export function useMarketClock(list: MarketList, marketType: MarketType): MarketClock {
  return marketClock({ list, live: useMarketStatus(), marketType, now: useServerSecond() })
}
