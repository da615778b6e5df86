import { expect, it } from 'vitest'
import { civilDay } from '#core/markets/calendar/civil-day.ts'
import { latestMonths, latestYears, monthPeriod, periodQuery } from '#web/screens/statement/statement-period.ts'

it('the choice lists the latest months and years, newest first', () => {
  const today = civilDay(2026, 2, 18)
  expect(latestMonths(today).slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(latestYears(today)).toEqual(['2026', '2025', '2024', '2023', '2022'])
})

it.each([
  ['2026-11', '2026-11-01', '2026-12-01'],
  ['2026-12', '2026-12-01', '2027-01-01'],
  ['2028-02', '2028-02-01', '2028-03-01'],
])('periodQuery requests %s from %s to before %s', (month, from, to) => {
  expect(periodQuery(monthPeriod(month), 'UTC')).toEqual({ from, to, zone: 'UTC' })
})

it('periodQuery requests nothing while a day is missing', () => {
  expect(periodQuery({ kind: 'range', from: '2026-11-01', to: '' }, 'UTC')).toBeNull()
})
