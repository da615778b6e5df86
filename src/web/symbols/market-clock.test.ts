import { describe, expect, it } from 'vitest'
import { leftText, marketClock } from '#web/symbols/market-clock.ts'

const BELL = Date.UTC(2026, 10, 20, 14, 30)
const NONE = { opens_at: null, closes_at: null, reason: null }
const OPEN = { crypto: true, us_stocks: true, us_fx: true }
const CLOSED = { ...OPEN, us_stocks: false }

function at(
  now: number,
  isOpen: boolean,
  hours: Partial<typeof NONE | { opens_at: number; closes_at: number }>,
  live = isOpen,
) {
  const list = {
    market_status: isOpen ? OPEN : CLOSED,
    market_hours: { crypto: NONE, us_fx: NONE, us_stocks: { ...NONE, ...hours } },
  }
  return marketClock({ list, live: live ? OPEN : CLOSED, marketType: 'us_stocks', now })
}

describe("a market by the client's own clock", () => {
  it('a market opens at the opening time, not before', () => {
    expect(at(BELL - 1, false, { opens_at: BELL })).toEqual({ isOpen: false, opensInMs: 1, closesInMs: null })
    expect(at(BELL, false, { opens_at: BELL })).toEqual({ isOpen: true, opensInMs: null, closesInMs: null })
  })

  it('a market closes at the closing time, and counts down in the last half hour', () => {
    expect(at(BELL - 1_800_001, true, { closes_at: BELL })).toMatchObject({ isOpen: true, closesInMs: null })
    expect(at(BELL - 1_800_000, true, { closes_at: BELL })).toMatchObject({ isOpen: true, closesInMs: 1_800_000 })
    expect(at(BELL, true, { closes_at: BELL })).toEqual({ isOpen: false, opensInMs: null, closesInMs: null })
  })

  it("a market keeps its state when the server's message arrives before the updated list", () => {
    expect(at(BELL + 900, false, { opens_at: BELL }, true).isOpen).toBe(true)
    expect(at(BELL + 900, true, { closes_at: BELL }, false).isOpen).toBe(false)
  })

  it('a market shows no opening time when closed by hand', () => {
    expect(at(BELL, false, {})).toEqual({ isOpen: false, opensInMs: null, closesInMs: null })
    expect(at(BELL - 5, true, { closes_at: BELL }, false)).toEqual({ isOpen: false, opensInMs: null, closesInMs: null })
  })
})

it.each([
  [62_000, '1:02'],
  [6 * 3_600_000, '6:00:00'],
  [86_400_000, '1 day 00:00'],
  [2 * 86_400_000 + 14 * 3_600_000 + 5 * 60_000, '2 days 14:05'],
  [2 * 86_400_000 - 1_000, '2 days 00:00'],
])('%i ms are %s', (left, text) => {
  expect(leftText(left)).toBe(text)
})
