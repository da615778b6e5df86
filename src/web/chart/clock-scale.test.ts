import { afterEach, describe, expect, test } from 'vitest'
import { clockDateTime, clockOffsetMs, clockTimeMs, clockZone } from '#web/i18n/clock.ts'
import { weightOf } from '#web/chart/clock-scale.ts'
import { clock } from '#web/options/options.ts'

const zone = process.env['TZ']

afterEach(() => {
  clock.choose('local')
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const at = (iso: string) => Date.parse(iso)

describe('the clock of the device', () => {
  test('the clock follows daylight saving at the displayed time', () => {
    process.env['TZ'] = 'America/New_York'
    expect(clockDateTime(at('2026-03-08T06:59:59Z'))).toBe('2026-03-08 01:59:59 UTC−5')
    expect(clockDateTime(at('2026-03-08T07:00:00Z'))).toBe('2026-03-08 03:00:00 UTC−4')
    // One hour occurs twice in autumn. The zone name distinguishes them.
    expect(clockDateTime(at('2026-11-01T05:30:00Z'))).toBe('2026-11-01 01:30:00 UTC−4')
    expect(clockDateTime(at('2026-11-01T06:30:00Z'))).toBe('2026-11-01 01:30:00 UTC−5')
  })

  test('the clock supports half-hour zones, and UTC if chosen', () => {
    process.env['TZ'] = 'Asia/Kolkata'
    expect(`${clockTimeMs(at('2026-01-01T00:00:00.123Z'))} ${clockZone(at('2026-01-01T00:00:00Z'))}`).toBe(
      '05:30:00.123 UTC+5:30',
    )
    clock.choose('utc')
    expect(`${clockTimeMs(at('2026-01-01T00:00:00.123Z'))} ${clockZone(0)}`).toBe('00:00:00.123 UTC')
  })
})

test.each([
  ['2026-01-01T00:00Z', '2025-12-31T23:59Z', 70],
  ['2026-02-01T00:00Z', '2026-01-31T23:59Z', 60],
  ['2026-02-02T00:00Z', '2026-02-01T23:59Z', 50],
  ['2026-02-02T12:00Z', '2026-02-02T11:59Z', 33],
  ['2026-02-02T13:00Z', '2026-02-02T12:59Z', 30],
  ['2026-02-02T13:30Z', '2026-02-02T13:29Z', 22],
  ['2026-02-02T13:05Z', '2026-02-02T13:04Z', 21],
  ['2026-02-02T13:06Z', '2026-02-02T13:05Z', 20],
])('the axis gives the tick mark at %s after %s the weight %i', (now, before, weight) => {
  expect(weightOf(at(now), at(before))).toBe(weight)
})

test('the axis starts days at midnight of the chosen clock', () => {
  process.env['TZ'] = 'America/New_York'
  const shown = (iso: string) => at(iso) + clockOffsetMs(at(iso))
  expect(weightOf(shown('2026-07-02T04:00:00Z'), shown('2026-07-02T03:59:00Z'))).toBe(50)
  expect(weightOf(shown('2026-07-02T00:00:00Z'), shown('2026-07-01T23:59:00Z'))).toBe(30)
})
