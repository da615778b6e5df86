import { nthWeekday, SUNDAY, yearOf, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS, type Instant } from '#core/time/instant.ts'

// New York is 5 hours behind UTC, 4 from the second Sunday of March to the first Sunday of November, changing at
// 02:00 local time: the rule of the Energy Policy Act of 2005, in force since 2007. Earlier years had other dates.

const STANDARD_MS = -5 * HOUR_MS
const DAYLIGHT_MS = -4 * HOUR_MS

/** What to add to UTC for New York's wall clock. Right from 2007 on: the calendars are not asked for earlier years. */
function newYorkOffsetMs(at: Instant): number {
  const year = yearOf(Math.floor(at / DAY_MS))
  const begins = nthWeekday(year, 3, SUNDAY, 2) * DAY_MS + 2 * HOUR_MS - STANDARD_MS
  const ends = nthWeekday(year, 11, SUNDAY, 1) * DAY_MS + 2 * HOUR_MS - DAYLIGHT_MS
  return at >= begins && at < ends ? DAYLIGHT_MS : STANDARD_MS
}

/** The day New York's calendar shows. */
export function newYorkDay(at: Instant): CivilDay {
  return Math.floor((at + newYorkOffsetMs(at)) / DAY_MS)
}

/**
 * The instant at which New York's clock shows this time of this day. Meant for hours that exist once a day, as the
 * markets' do; between 01:00 and 03:00 on the two Sundays of a clock change the answer may be an hour off.
 */
export function newYorkInstant(day: CivilDay, minuteOfDay: number): Instant {
  const wallClock = day * DAY_MS + minuteOfDay * MINUTE_MS
  return instant(wallClock - newYorkOffsetMs(instant(wallClock - STANDARD_MS)))
}
