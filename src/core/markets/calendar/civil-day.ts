import { DAY_MS } from '#core/time/instant.ts'

/** A calendar day without time zone or time of day, as days since 1970-01-01. */
export type CivilDay = number

export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6
export const SUNDAY = 0
export const MONDAY = 1
export const THURSDAY = 4
export const FRIDAY = 5
export const SATURDAY = 6

/** Returns the day of a date. `month` counts from 1. */
export function civilDay(year: number, month: number, dayOfMonth: number): CivilDay {
  return Math.round(Date.UTC(year, month - 1, dayOfMonth) / DAY_MS)
}

/** Formats a day as `2022-08-25`. */
export function civilDayText(day: CivilDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Parses `2022-08-25`. Returns null when the day does not exist. */
export function readCivilDay(text: string): CivilDay | null {
  const day = Date.parse(text) / DAY_MS
  // `Date.parse` turns 31 February into 3 March, so the result is compared with the text.
  return Number.isInteger(day) && civilDayText(day) === text ? day : null
}

export function yearOf(day: CivilDay): number {
  return new Date(day * DAY_MS).getUTCFullYear()
}

/** Returns the weekday of a day: 0 is Sunday. The computation starts from 1970-01-01, which was a Thursday. */
export function weekdayOf(day: CivilDay): number {
  return (((day + THURSDAY) % 7) + 7) % 7
}

export function nthWeekday(year: number, month: number, weekday: Weekday, nth: 1 | 2 | 3 | 4): CivilDay {
  const first = civilDay(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1)
}

/** Returns the last Monday of a month. */
export function lastMonday(year: number, month: number): CivilDay {
  const last = civilDay(year, month + 1, 1) - 1
  return last - ((weekdayOf(last) - MONDAY + 7) % 7)
}

/** Returns Easter Sunday of the Gregorian calendar, by the anonymous (Meeus, Jones, Butcher) computus. */
export function easterSunday(year: number): CivilDay {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const sum = epact + toSunday - 7 * late + 114
  return civilDay(year, Math.floor(sum / 31), (sum % 31) + 1)
}
