import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreedEnd, isReadableReason, limitEnd, onePersonEnd } from '#core/accounts/measures.ts'
import { DAY_MS, HOUR_MS, instant, later } from '#core/time/instant.ts'

const NOW = instant(1_800_000_000_000)
const LIVE = { mode: 'live', approvers: 2, now: NOW, past: [] } as const
const hours = (end: ReturnType<typeof onePersonEnd>) => (typeof end === 'number' ? (end - NOW) / HOUR_MS : end)
const ran = (agoHours: number, forHours: number) => {
  const since = later(NOW, -agoHours * HOUR_MS)
  return { since, finishedAt: later(since, forHours * HOUR_MS) }
}

describe('how long one staff member alone can take a right away from a user', () => {
  it.each<[string, Partial<Parameters<typeof onePersonEnd>[1]>, number | null | 'used_up']>([
    ['72 hours', {}, 72],
    ['without an end in a demo', { mode: 'demo' }, null],
    ['for what is left of 72 hours', { past: [ran(100, 1), ran(50, 10)] }, 61],
    ['no more once 72 hours are used', { past: [ran(100, 72)] }, 'used_up'],
    ['72 hours again after 30 days', { past: [ran(30 * 24, 72)] }, 72],
    ['72 hours each time where one person decides', { approvers: 1, past: [ran(100, 72)] }, 72],
  ])('%s', (_title, change, expected) => {
    expect(hours(onePersonEnd('trade_off', { ...LIVE, ...change }))).toBe(expected)
  })

  it('one person can block withdrawals for 72 hours in 30 days at most, even as the only approver', () => {
    expect(onePersonEnd('withdrawals_off', { ...LIVE, approvers: 1, past: [ran(100, 72)] })).toBe('used_up')
  })

  it('measures by one person never last for more than 72 hours in 30 days in total', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 72 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(steps, (waits) => {
        const past: { since: typeof NOW; finishedAt: typeof NOW }[] = []
        let now = NOW
        for (const [wait, wanted] of waits) {
          now = later(now, wait * HOUR_MS)
          const end = onePersonEnd('trade_off', { ...LIVE, now, past })
          if (end === null || end === 'used_up') continue
          past.push({ since: now, finishedAt: instant(Math.min(end, later(now, wanted * HOUR_MS))) })
          now = past.at(-1)?.finishedAt ?? now
        }
        for (const { since } of past) {
          const within = past.filter((one) => one.since > later(since, -30 * DAY_MS) && one.since <= since)
          expect(within.reduce((sum, one) => sum + one.finishedAt - one.since, 0)).toBeLessThanOrEqual(72 * HOUR_MS)
        }
      }),
    )
  })
})

it('a limit ends after 90 days, and a block of withdrawals that two staff members agreed on ends after 14 days', () => {
  expect(limitEnd(NOW) - NOW).toBe(90 * DAY_MS)
  expect(Number(agreedEnd('withdrawals_off', NOW)) - NOW).toBe(14 * DAY_MS)
  expect(agreedEnd('trade_off', NOW)).toBeNull()
})

it.each([
  ['Send your papers.', true],
  ['请提供文件', true],
  ['', false],
  ['...', false],
  ['1 2 3', false],
  ['ok', false],
])('a user can read a reason in %j: %s', (text, expected) => {
  expect(isReadableReason(text)).toBe(expected)
})
