import { civilDay, SATURDAY, SUNDAY, weekdayOf, yearOf, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { newYorkDay, newYorkInstant } from '#core/markets/calendar/new-york-time.ts'
import { nyseHours } from '#core/markets/calendar/nyse-days.ts'
import { ALWAYS, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { HOUR_MS, type Instant } from '#core/time/instant.ts'

/** An entry of a market's calendar: a session, a shortened session, or a weekday without trading. */
export interface CalendarEntry {
  readonly kind: 'session' | 'early-close' | 'holiday'
  readonly from: Instant
  readonly to: Instant
}

const DAY_MINUTES = 24 * 60
/** The length of a full session of US stocks: 9:30 to 16:00, New York time. */
const WHOLE_STOCK_DAY_MS = 6.5 * HOUR_MS

/** Lists the calendar entries of a market in a period, ascending. Empty for a market that never closes. */
export function calendarEntries(marketType: MarketType, from: Instant, until: Instant): CalendarEntry[] {
  const entries: CalendarEntry[] = []
  for (let session = nextSession(marketType, from); session.open < until; ) {
    if (session.close === ALWAYS.close) return []
    const isShort = marketType === 'us_stocks' && session.close - session.open < WHOLE_STOCK_DAY_MS
    entries.push({ kind: isShort ? 'early-close' : 'session', from: session.open, to: session.close })
    session = nextSession(marketType, session.close)
  }
  for (let day = newYorkDay(from); newYorkInstant(day, 0) < until; day += 1) {
    if (isHoliday(marketType, day)) {
      entries.push({ kind: 'holiday', from: newYorkInstant(day, 0), to: newYorkInstant(day, DAY_MINUTES) })
    }
  }
  return entries.toSorted((a, b) => a.from - b.from)
}

function isHoliday(marketType: MarketType, day: CivilDay): boolean {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  if (marketType === 'us_stocks') return nyseHours(day) === null
  const year = yearOf(day)
  return marketType === 'us_fx' && (day === civilDay(year, 12, 25) || day === civilDay(year, 1, 1))
}
