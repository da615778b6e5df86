import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilDay } from '#core/markets/calendar/civil-day.ts'
import { DAY_MS, HOUR_MS, instant } from '#core/time/instant.ts'
import { isZone, zoneDay, zoneDayStart, zoneIso } from '#core/time/zone.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Marquesas', 'America/Sao_Paulo']

describe('isZone', () => {
  it.each([...ZONES, 'Etc/GMT+5'])('isZone accepts %s', (zone) => expect(isZone(zone)).toBe(true))
  it.each(['', 'Mars/Base', '+05:45', 'UTC\n', 'Europe/Berlin,x', `${'A/'.repeat(40)}B`])('isZone refuses %j', (zone) =>
    expect(isZone(zone)).toBe(false),
  )
})

describe('zoneDayStart', () => {
  it.each([
    ['UTC', [2026, 3, 18], '2026-03-18T00:00:00.000+00:00', 24],
    ['Asia/Kathmandu', [2026, 3, 18], '2026-03-18T00:00:00.000+05:45', 24],
    ['Pacific/Marquesas', [2026, 3, 18], '2026-03-18T00:00:00.000-09:30', 24],
    ['Europe/Berlin', [2026, 3, 29], '2026-03-29T00:00:00.000+01:00', 23],
    ['Europe/Berlin', [2026, 10, 25], '2026-10-25T00:00:00.000+02:00', 25],
    ['America/New_York', [2026, 3, 8], '2026-03-08T00:00:00.000-05:00', 23],
    ['America/New_York', [2026, 11, 1], '2026-11-01T00:00:00.000-04:00', 25],
    // The clock went from 23:59:59 to 01:00.
    ['America/Sao_Paulo', [2018, 11, 4], '2018-11-04T01:00:00.000-02:00', 23],
  ] as const)(
    'begins a day of %s %j at %s, %d hours before the next',
    (zone, [year, month, dayOfMonth], text, hours) => {
      const day = civilDay(year, month, dayOfMonth)
      const start = zoneDayStart(zone, day)
      expect(zoneIso(zone, start)).toBe(text)
      expect((zoneDayStart(zone, day + 1) - start) / HOUR_MS).toBe(hours)
    },
  )

  it('zoneDayStart gives a day that the zone skips the same start as the next day', () => {
    const day = civilDay(2011, 12, 30)
    expect(zoneDayStart('Pacific/Apia', day)).toBe(zoneDayStart('Pacific/Apia', day + 1))
  })

  it('zoneDayStart puts every instant into exactly one day of a zone, for any zone', () => {
    const from = civilDay(2015, 1, 1) * DAY_MS
    const instants = fc.integer({ min: from, max: from + 12 * 366 * DAY_MS })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (zone, ms) => {
        const day = zoneDay(zone, instant(ms))
        expect(zoneDayStart(zone, day)).toBeLessThanOrEqual(ms)
        expect(zoneDayStart(zone, day + 1)).toBeGreaterThan(ms)
      }),
      { numRuns: 300 },
    )
  })
})
