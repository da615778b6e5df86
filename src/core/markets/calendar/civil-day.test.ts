import { expect, test } from 'vitest'
import { civilDay, easterSunday, lastMonday, nthWeekday, weekdayOf, yearOf } from '#core/markets/calendar/civil-day.ts'

test.each([
  [1961, 4, 2],
  [2000, 4, 23],
  [2008, 3, 23],
  [2011, 4, 24],
  [2019, 4, 21],
  [2024, 3, 31],
  [2026, 4, 5],
  [2038, 4, 25],
  [2076, 4, 19],
])('easterSunday finds Easter of %i', (year, month, day) => {
  expect(easterSunday(year)).toBe(civilDay(year, month, day))
})

test('days convert to dates, weekdays and years', () => {
  expect(civilDay(1970, 1, 1)).toBe(0)
  expect(weekdayOf(civilDay(2026, 11, 20))).toBe(5)
  expect(weekdayOf(-1)).toBe(3)
  expect(yearOf(civilDay(2025, 12, 31))).toBe(2025)
  expect(nthWeekday(2026, 11, 4, 4)).toBe(civilDay(2026, 11, 26))
  expect(lastMonday(2026, 5)).toBe(civilDay(2026, 5, 25))
})
