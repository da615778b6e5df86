import { nextSession, type Session } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'

const DAY_MS = 86_400_000

/** Returns the function that gives the start of a bar's session: the opening bell of a stock, else midnight UTC. */
export function sessionStarts(marketType: MarketType): (time: number) => number {
  if (marketType !== 'us_stocks') return (time) => Math.floor(time / DAY_MS) * DAY_MS
  let known: (Session & { readonly from: number }) | null = null
  return (time) => {
    if (known === null || time < known.from || time >= known.close) {
      known = { ...nextSession(marketType, instant(time)), from: time }
    }
    return known.open
  }
}
