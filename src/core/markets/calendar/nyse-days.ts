import {
  civilDay,
  easterSunday,
  FRIDAY,
  lastMonday,
  MONDAY,
  nthWeekday,
  SATURDAY,
  SUNDAY,
  THURSDAY,
  weekdayOf,
  yearOf,
  type CivilDay,
} from '#core/markets/calendar/civil-day.ts'

const NOON = 12 * 60
const OPENS = 9 * 60 + 30
const CLOSES = NOON + 4 * 60
const CLOSES_EARLY = NOON + 60

/** The hours of one trading day, in minutes since midnight, New York time. */
export interface TradingHours {
  readonly opens: number
  readonly closes: number
}

/**
 * Closures that no rule predicts: days of mourning and a hurricane. Add new closures when the exchange announces them.
 */
const SPECIAL_CLOSURES = new Set([
  civilDay(2007, 1, 2), // mourning of President Ford
  civilDay(2012, 10, 29), // Hurricane Sandy
  civilDay(2012, 10, 30),
  civilDay(2018, 12, 5), // mourning of President G. H. W. Bush
  civilDay(2025, 1, 9), // mourning of President Carter
])

/**
 * Returns the hours of the New York Stock Exchange on a day, or null when it is closed. The source is Rule 7.2 and the
 * published calendar. Correct from 2007 on (`CALENDAR_BEGINS`), and for later years as long as the rules stay.
 */
export function nyseHours(day: CivilDay): TradingHours | null {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY || weekday === SUNDAY) return null
  if (isHoliday(day) || SPECIAL_CLOSURES.has(day)) return null
  return { opens: OPENS, closes: closesEarly(day) ? CLOSES_EARLY : CLOSES }
}

function isHoliday(day: CivilDay): boolean {
  const year = yearOf(day)
  return (
    day === newYearsDay(year) ||
    day === nthWeekday(year, 1, MONDAY, 3) || // Martin Luther King
    day === nthWeekday(year, 2, MONDAY, 3) || // Washington's birthday
    day === easterSunday(year) - 2 || // Good Friday
    day === lastMonday(year, 5) || // Memorial Day
    (year >= 2022 && day === observed(civilDay(year, 6, 19))) || // Juneteenth
    day === observed(civilDay(year, 7, 4)) || // Independence Day
    day === nthWeekday(year, 9, MONDAY, 1) || // Labor Day
    day === thanksgiving(year) ||
    day === observed(civilDay(year, 12, 25))
  )
}

/** A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after. */
function observed(day: CivilDay): CivilDay {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY) return day - 1
  return weekday === SUNDAY ? day + 1 : day
}

/** New Year's Day on a Saturday is not observed: the exchange stays open on the last business day of the year. */
function newYearsDay(year: number): CivilDay {
  const day = civilDay(year, 1, 1)
  return weekdayOf(day) === SUNDAY ? day + 1 : day
}

function thanksgiving(year: number): CivilDay {
  return nthWeekday(year, 11, THURSDAY, 4)
}

/**
 * The exchange closes at 13:00 on the day after Thanksgiving, and on 3 July and 24 December from Monday to Thursday.
 */
function closesEarly(day: CivilDay): boolean {
  const year = yearOf(day)
  if (day === thanksgiving(year) + 1) return true
  // On a Friday, both days are holidays, as the next day falls on a Saturday.
  return weekdayOf(day) < FRIDAY && (day === civilDay(year, 7, 3) || day === civilDay(year, 12, 24))
}
