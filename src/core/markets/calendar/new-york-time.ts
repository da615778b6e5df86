import { nthWeekday, SUNDAY, yearOf, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'

// New York is 5 hours behind UTC, and 4 hours from the second Sunday of March to the first Sunday of November. Clocks
// change at 02:00 local time. This is the rule of the Energy Policy Act of 2005, in force since 2007. Earlier years had
// other dates.

const STANDARD_MS = -5 * HOUR_MS
const DAYLIGHT_MS = -4 * HOUR_MS

/**
 * Returns the offset of New York's local time from UTC. Correct from 2007 on; the calendars never use earlier years.
 */
function newYorkOffsetMs(at: Instant): number {
  const year = yearOf(Math.floor(at / DAY_MS))
  const begins = nthWeekday(year, 3, SUNDAY, 2) * DAY_MS + 2 * HOUR_MS - STANDARD_MS
  const ends = nthWeekday(year, 11, SUNDAY, 1) * DAY_MS + 2 * HOUR_MS - DAYLIGHT_MS
  return at >= begins && at < ends ? DAYLIGHT_MS : STANDARD_MS
}

/** Returns the calendar day in New York. */
export function newYorkDay(at: Instant): CivilDay {
  return Math.floor((at + newYorkOffsetMs(at)) / DAY_MS)
}

/**
 * Returns the instant at which New York's clock shows this time on this day. Meant for hours that occur once a day, as
 * the markets' do. Between 01:00 and 03:00 on the two Sundays of a clock change the result may be an hour off.
 */
export function newYorkInstant(day: CivilDay, minuteOfDay: number): Instant {
  const wallClock = day * DAY_MS + minuteOfDay * MINUTE_MS
  return instant(wallClock - newYorkOffsetMs(instant(wallClock - STANDARD_MS)))
}
