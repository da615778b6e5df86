import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Maintenance, maintenanceRefusal, maintenanceState } from '#core/markets/maintenance.ts'
import { instant } from '#core/time/instant.ts'

const at = (from: number, to: number | null): Maintenance => ({
  from: instant(from),
  to: to === null ? null : instant(to),
  words: '',
})
const refusalOf = (all: readonly Maintenance[], now: number, expiresAt: number) =>
  maintenanceRefusal(all, instant(now), instant(expiresAt))

it.each([
  ['planned', at(100, 200), null, 99],
  ['running', at(100, 200), null, 100],
  ['running', at(100, null), null, 9_000],
  ['over', at(100, 200), null, 200],
  ['cancelled', at(100, 200), 99, 300],
  ['over', at(100, 200), 150, 150],
  ['over', at(100, null), 100, 100],
] as const)('is %s: %o, ended at %s, looked at at %s', (state, { from, to }, endAt, now) => {
  const stored = { from, to, endAt: endAt === null ? null : instant(endAt) }
  expect(maintenanceState(stored, instant(now))).toBe(state)
})

it.each([
  ['ends at its beginning', [at(100, 200)], 10, 100, null],
  ['ends just inside it', [at(100, 200)], 10, 101, { refusal: 'maintenance_planned', at: 100 }],
  ['spans it', [at(100, 200)], 10, 900, { refusal: 'maintenance_planned', at: 100 }],
  ['begins with it', [at(100, 200)], 100, 110, { refusal: 'maintenance_now', at: 200 }],
  ['begins in it', [at(100, 200)], 199, 300, { refusal: 'maintenance_now', at: 200 }],
  ['begins at its end', [at(100, 200)], 200, 300, null],
  ['begins in a pause without an end', [at(100, null)], 5_000, 5_001, { refusal: 'trading_paused', at: null }],
  [
    'meets two, and hears of the next',
    [at(400, 500), at(100, 200)],
    10,
    900,
    { refusal: 'maintenance_planned', at: 100 },
  ],
] as const)('judges an order that %s', (_, all, now, expiresAt, expected) => {
  expect(refusalOf(all, now, expiresAt)).toEqual(expected)
})

it('no accepted order is open during a maintenance', () => {
  const time = fc.integer({ min: 0, max: 1_000 })
  const plan = fc.tuple(time, fc.integer({ min: 1, max: 300 })).map(([from, length]) => at(from, from + length))
  fc.assert(
    fc.property(fc.array(plan, { maxLength: 4 }), time, fc.integer({ min: 1, max: 500 }), (all, now, length) => {
      if (refusalOf(all, now, now + length) !== null) return
      for (const { from, to } of all) expect(now >= (to ?? 0) || now + length <= from).toBe(true)
    }),
  )
})
