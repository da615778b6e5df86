import { SATURDAY, SUNDAY, weekdayOf, civilDay, yearOf, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { newYorkDay, newYorkInstant } from '#core/markets/calendar/new-york-time.ts'
import { nyseHours } from '#core/markets/calendar/nyse-days.ts'
import type { MarketType } from '#core/markets/market.ts'
import { unreachable } from '#core/result.ts'
import { instant, toIso, type Instant } from '#core/time/instant.ts'

/** A period of trading without a break. `open` is included, `close` is not. */
export interface Session {
  readonly open: Instant
  readonly close: Instant
}

/** The session of a market that never closes: the whole range of a `Date`. */
export const ALWAYS: Session = { open: instant(-8_640_000_000_000_000), close: instant(8_640_000_000_000_000) }

/**
 * Midnight of 2007-01-01 in New York. Before 2007, New York changed its clocks on other days and the exchange had other
 * holidays. Those rules are not implemented.
 */
export const CALENDAR_BEGINS = instant(Date.UTC(2007, 0, 1, 5))

/** Thrown for an instant before `CALENDAR_BEGINS`, because a wrong result would be worse than none. */
export class BeforeCalendar extends RangeError {
  readonly code = 'before_calendar'

  constructor(marketType: MarketType, at: Instant) {
    super(`The calendar of ${marketType} begins with the year 2007. No session is known for ${toIso(at)}.`)
  }
}

/**
 * Returns the session that contains `at`, or null while the market is closed. Throws `BeforeCalendar` as `nextSession`
 * does.
 */
export function sessionAt(marketType: MarketType, at: Instant): Session | null {
  const session = nextSession(marketType, at)
  return session.open <= at ? session : null
}

/**
 * Returns the session that contains `at`, or the next one. Throws `BeforeCalendar` for instants before the calendar.
 */
export function nextSession(marketType: MarketType, at: Instant): Session {
  if (at < CALENDAR_BEGINS && marketType !== 'crypto') throw new BeforeCalendar(marketType, at)
  switch (marketType) {
    case 'crypto':
      return ALWAYS
    case 'us_stocks':
      return nextNyseSession(at)
    case 'us_fx':
      return nextForexSession(at)
    default:
      return unreachable(marketType)
  }
}

export function isOpen(marketType: MarketType, at: Instant): boolean {
  return sessionAt(marketType, at) !== null
}

/** Returns `at` while the market is open, else the next opening. */
export function nextOpen(marketType: MarketType, at: Instant): Instant {
  const { open } = nextSession(marketType, at)
  return open > at ? open : at
}

function nextNyseSession(at: Instant): Session {
  for (let day = newYorkDay(at); ; day += 1) {
    const hours = nyseHours(day)
    if (hours === null) continue
    const close = newYorkInstant(day, hours.closes)
    if (close > at) return { open: newYorkInstant(day, hours.opens), close }
  }
}

// The forex week runs from Sunday 17:00 to Friday 17:00 New York time. Its trading days run from 17:00 to 17:00 and are
// named for the day on which they end. 25 December and 1 January, when banks are closed everywhere, are left out,
// because large retail venues are closed on these days. Trading stops at 17:00 on the eve and resumes at 17:00 on the
// holiday.
const DAY_ENDS = 17 * 60

function nextForexSession(at: Instant): Session {
  let day = newYorkDay(at)
  while (!isForexDay(day) || newYorkInstant(day, DAY_ENDS) <= at) day += 1
  let first = day
  while (isForexDay(first - 1)) first -= 1
  while (isForexDay(day + 1)) day += 1
  return { open: newYorkInstant(first - 1, DAY_ENDS), close: newYorkInstant(day, DAY_ENDS) }
}

function isForexDay(day: CivilDay): boolean {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  const year = yearOf(day)
  return day !== civilDay(year, 12, 25) && day !== civilDay(year, 1, 1)
}
