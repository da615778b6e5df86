import { CALENDAR_BEGINS, nextSession, type Session } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'

/**
 * The session at `ms`, or else the next one, cached while it applies. A provider may send any time. For a time before
 * the calendar begins, the first session is returned, which does not contain that time.
 */
export type SessionLookup = (ms: number) => Session

export function createSessionLookup(marketType: MarketType): SessionLookup {
  let cachedFrom = Infinity
  let session: Session = { open: instant(0), close: instant(0) }
  return (ms) => {
    if (ms < cachedFrom || ms >= session.close) {
      session = nextSession(marketType, instant(Math.max(Math.floor(ms), CALENDAR_BEGINS)))
      cachedFrom = Math.floor(ms)
    }
    return session
  }
}
