import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { toIso } from '#core/time/instant.ts'
import { parseIsoTime } from '#server/market-data/feeds/providers/iso-time.ts'

it.each([
  ['2021-04-17T16:43:30.244075Z', '2021-04-17T16:43:30.244Z'],
  ['2026-08-09T21:05:38.50436Z', '2026-08-09T21:05:38.504Z'],
  ['2026-08-09T21:05:38.5Z', '2026-08-09T21:05:38.500Z'],
  ['2026-08-09T21:05:38Z', '2026-08-09T21:05:38.000Z'],
  ['2026-08-09T21:05:48.228568804Z', '2026-08-09T21:05:48.228Z'],
  ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999Z'],
])('reads %s as %s', (text, expected) => {
  const time = parseIsoTime(text)
  expect(time === null ? null : toIso(time)).toBe(expected)
})

it.each([
  '',
  '2021-04-17',
  '2021-04-17 16:43:30Z',
  '2021-04-17T16:43:30',
  '2021-04-17T16:43:30+02:00',
  '2021-13-01T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2021-04-31T00:00:00Z',
  '2021-04-17T24:00:00Z',
  '2021-04-17T16:43:60Z',
  '1618677810',
])('rejects the time %j', (text) => {
  expect(parseIsoTime(text)).toBeNull()
})

test('parses every formatted instant back to the same instant', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(parseIsoTime(date.toISOString())).toBe(date.getTime())
    }),
  )
})
