import { describe, expect, it } from 'vitest'
import { breakEnd, breakRefusal, limitDirection, limitLeft, windowRefusal } from '#core/accounts/self-limits.ts'
import { money } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'

const amount = (units: number | null) => (units === null ? null : money(units))

describe('a change of an own limit', () => {
  it.each([
    [null, 0, 'tighter'],
    [null, 5, 'tighter'],
    [5, 4, 'tighter'],
    [5, 5, 'same'],
    [null, null, 'same'],
    [5, 6, 'looser'],
    [0, null, 'looser'],
  ] as const)('from %s to %s is %s', (inForce, wanted, direction) => {
    expect(limitDirection(amount(inForce), amount(wanted))).toBe(direction)
  })
})

describe('the refusal by a window', () => {
  it.each([
    [20, null, { name: 'loss_day', left: '0.20' }],
    [-5, Date.UTC(2026, 10, 2, 9, 30), { name: 'loss_day', left: '0.00', frees_at: '2026-11-02 09:30 UTC' }],
  ])('the refusal names the amount left, %s, and the time when more becomes available, %s', (left, freesAt, params) => {
    const window = { key: 'loss_day', left: money(left), freesAt: freesAt === null ? null : instant(freesAt) } as const
    expect(windowRefusal('self_loss_limit', window)).toEqual({ ok: false, refusal: 'self_loss_limit', params })
  })
})

describe('the amount that a limit leaves', () => {
  it.each([
    [100, 30, 20, 50],
    [100, 100, 0, 0],
    [100, 90, 20, 0],
    [0, 0, 0, 0],
  ])('of %s with %s used and %s open is %s', (value, used, open, left) => {
    expect(limitLeft({ value: money(value), used: money(used), open: money(open) })).toBe(money(left))
  })
})

describe('the refusal of a break', () => {
  const from = instant(Date.UTC(2026, 0, 1))
  const until = instant(Date.UTC(2026, 6, 1))
  it.each([
    ['time_out', null, 'on_break', { until: '2026-07-01 00:00 UTC' }],
    ['exclusion', null, 'excluded', { until: '2026-07-01 00:00 UTC' }],
    ['exclusion', instant(Date.UTC(2026, 6, 2)), 'return_waits', { ready_at: '2026-07-03 00:00 UTC' }],
  ] as const)('of a %s asked back at %s is %s', (kind, requestedAt, refusal, params) => {
    expect(breakRefusal({ kind, from, until, requestedAt })).toEqual({ ok: false, refusal, params })
  })
})

it('an exclusion ends at the time of day at which it began, in a shorter month on the last day', () => {
  const end = (months: number, from: string) => new Date(breakEnd('exclusion', months, Date.parse(from))).toISOString()
  expect(end(1, '2026-03-15T14:00:00.250Z')).toBe('2026-04-15T14:00:00.250Z')
  expect(end(6, '2026-08-31T23:30:00.000Z')).toBe('2027-02-28T23:30:00.000Z')
})
