import { nextSession, type Session } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'

/** The session at `ms`, or else the next: the calendar's answer, remembered for as long as it holds. */
export type SessionLookup = (ms: number) => Session

export function createSessionLookup(marketType: MarketType): SessionLookup {
  let askedAt = Infinity
  let session: Session = { open: instant(0), close: instant(0) }
  return (ms) => {
    if (ms < askedAt || ms >= session.close) {
      session = nextSession(marketType, instant(Math.floor(ms)))
      askedAt = Math.floor(ms)
    }
    return session
  }
}
