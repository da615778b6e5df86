import { expect, test } from 'vitest'
import { sessionAt } from '#core/markets/calendar/sessions.ts'
import { instant } from '#core/time/instant.ts'
import { sessionBreaksOf } from '#web/chart/session-breaks.ts'

/** Half-hour bars during market hours, for the given number of days. */
function halfHours(marketType: 'us_stocks' | 'us_fx', from: string, days: number): number[] {
  const start = Date.parse(from)
  return Array.from({ length: days * 48 }, (_, index) => start + index * 1_800_000).filter(
    (time) => sessionAt(marketType, instant(time)) !== null,
  )
}

test('stocks: sessionBreaksOf returns a break before each session, over a weekend and a clock change', () => {
  const times = halfHours('us_stocks', '2026-03-05T00:00:00Z', 7)
  const seams = sessionBreaksOf({ times, marketType: 'us_stocks', interval: '30m' })
  expect(seams.map((index) => new Date(times[index] ?? 0).toISOString())).toEqual([
    '2026-03-06T14:30:00.000Z',
    '2026-03-09T13:30:00.000Z',
    '2026-03-10T13:30:00.000Z',
    '2026-03-11T13:30:00.000Z',
  ])
})

test('forex: sessionBreaksOf returns one break per week', () => {
  const times = halfHours('us_fx', '2026-03-02T00:00:00Z', 14)
  const seams = sessionBreaksOf({ times, marketType: 'us_fx', interval: '30m' })
  expect(seams.map((index) => new Date(times[index] ?? 0).toISOString())).toEqual([
    '2026-03-08T21:00:00.000Z',
    '2026-03-15T21:00:00.000Z',
  ])
})

test('a session without bars adds no second break, and crypto and daily stocks have no breaks', () => {
  const times = halfHours('us_stocks', '2026-03-05T00:00:00Z', 7).filter(
    (time) => !new Date(time).toISOString().startsWith('2026-03-09'),
  )
  expect(sessionBreaksOf({ times, marketType: 'us_stocks', interval: '30m' })).toHaveLength(3)
  expect(sessionBreaksOf({ times, marketType: 'crypto', interval: '30m' })).toEqual([])
  expect(sessionBreaksOf({ times, marketType: 'us_stocks', interval: '1d' })).toEqual([])
  expect(sessionBreaksOf({ times: [], marketType: 'us_fx', interval: '1m' })).toEqual([])
})
