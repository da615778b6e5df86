import { describe, expect, it } from 'vitest'
import { expiryFits, type PlannedClosure, tradingAt } from '#core/markets/calendar/trading.ts'
import { instant, type Instant } from '#core/time/instant.ts'

const at = (text: string): Instant => instant(Date.parse(`2026-03-${text}:00Z`))
const closed = (from: string, to: string, marketType: PlannedClosure['marketType'] = 'us_stocks'): PlannedClosure => ({
  marketType,
  from: at(from),
  to: at(to),
  reason: 'Maintenance',
})

// On the days of these tests, US stocks trade from 13:30 to 20:00 UTC.
describe('tradingAt with planned closures', () => {
  it.each<[string, PlannedClosure[], string, boolean, string | null]>([
    ['no closure', [], '18T15:00', true, '18T20:00'],
    ['a later closure shortens the session', [closed('18T16:00', '18T17:00')], '18T15:00', true, '18T16:00'],
    ['a closure includes its first instant', [closed('18T15:00', '18T17:00')], '18T15:00', false, '18T17:00'],
    [
      'the market opens at the last instant of a closure',
      [closed('18T14:00', '18T15:00')],
      '18T15:00',
      true,
      '18T20:00',
    ],
    [
      'two adjacent closures',
      [closed('18T14:00', '18T16:00'), closed('18T16:00', '18T18:00')],
      '18T15:00',
      false,
      '18T18:00',
    ],
    ['a closure across the close', [closed('18T15:00', '18T22:00')], '18T16:00', false, '19T13:30'],
    ['a closure across the next opening', [closed('18T22:00', '19T15:00')], '18T21:00', false, '19T15:00'],
    ['a closure of another market', [closed('18T14:00', '18T16:00', 'crypto')], '18T15:00', true, '18T20:00'],
    [
      'the end of a closure does not open a closed market',
      [closed('18T10:00', '18T11:00')],
      '18T11:00',
      false,
      '18T13:30',
    ],
  ])('%s', (_, planned, now, isOpen, changes) => {
    const trading = tradingAt('us_stocks', at(now), planned)
    expect([trading.isOpen, isOpen ? trading.closesAt : trading.opensAt]).toEqual([isOpen, changes && at(changes)])
  })

  it('an order may expire up to the start of a planned closure, but no later', () => {
    const trading = tradingAt('crypto', at('18T15:00'), [closed('18T16:00', '18T17:00', 'crypto')])
    expect(expiryFits(trading, at('18T15:00'), at('18T16:00'))).toBe(true)
    expect(expiryFits(trading, at('18T15:00'), instant(at('18T16:00') + 1))).toBe(false)
    expect(expiryFits(trading, at('18T15:00'), at('18T18:00'))).toBe(false)
  })
})
