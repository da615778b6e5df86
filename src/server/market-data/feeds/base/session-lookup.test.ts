import { describe, expect, it } from 'vitest'
import { CALENDAR_BEGINS, nextSession } from '#core/markets/calendar/sessions.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { MarketHours } from '#core/markets/sources/market-hours.ts'
import { instant } from '#core/time/instant.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'

describe('the session lookup of a feed', () => {
  it.each(MARKET_TYPES)(
    'P21: accepts any time that a provider may send for %s, and never looks for a session before the calendar',
    (market) => {
      const session = createSessionLookup(market)
      for (const ms of [1, Date.parse('2001-09-12T15:00:00Z'), CALENDAR_BEGINS - 0.5, CALENDAR_BEGINS]) {
        expect(session(ms)).toEqual(nextSession(market, CALENDAR_BEGINS))
      }
    },
  )

  it("P21: places a trade from before the calendar outside its market's hours", () => {
    const hours = new MarketHours(createSessionLookup('us_stocks'), instant(0))
    expect(hours.includes(instant(Date.parse('2005-06-01T15:00:00Z')))).toBe(false)
    expect(hours.includes(instant(Date.parse('2026-06-01T15:00:00Z')))).toBe(true)
  })
})
