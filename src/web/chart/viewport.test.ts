import { describe, expect, it } from 'vitest'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { isNearEnd, isNearStart, keepInPlace, rangeWith, REST_OFFSET, roomFor, viewOf } from '#web/chart/viewport.ts'

const STEP = 60_000
const timesOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => (from + at) * STEP)

describe('the view of a candle chart', () => {
  it('the view follows new bars when the newest bar is in view', () => {
    const change = { before: timesOf(0, 500), after: timesOf(0, 502), isAtEnd: true }
    expect(keepInPlace({ from: 400, to: 503 }, change)).toEqual({ from: 402, to: 505 })
  })

  it('the view keeps its bars in place when older bars are added', () => {
    const change = { before: timesOf(1_000, 1_500), after: timesOf(0, 1_500), isAtEnd: false }
    expect(keepInPlace({ from: 20, to: 120.5 }, change)).toEqual({ from: 1_020, to: 1_120.5 })
  })

  it('the view stays at its position when its bars have been dropped', () => {
    const change = { before: timesOf(0, 500), after: timesOf(9_000, 9_500), isAtEnd: false }
    expect(keepInPlace({ from: 20, to: 120 }, change)).toEqual({ from: 20, to: 120 })
  })

  it('the view moves only as far as needed to show a selected bar', () => {
    const range = { from: 100, to: 200 }
    expect(rangeWith(150, range)).toBeNull()
    expect(rangeWith(90, range)).toEqual({ from: 89, to: 189 })
    expect(rangeWith(205, range)).toEqual({ from: 106, to: 206 })
  })

  it('the view reports when it is near an end, away from the newest bar, or before the oldest bar', () => {
    expect([isNearStart({ from: 119, to: 219 }, 0), isNearStart({ from: 120, to: 220 }, 0)]).toEqual([true, false])
    // Indicators need bars before those in view.
    expect([isNearStart({ from: 279, to: 379 }, 160), isNearStart({ from: 280, to: 380 }, 160)]).toEqual([true, false])
    expect([isNearEnd({ from: 300, to: 381 }, 500), isNearEnd({ from: 300, to: 380 }, 500)]).toEqual([true, false])
    expect(viewOf({ from: -2, to: 97 }, 100)).toEqual({ isAway: true, isBeforeStart: true })
    expect(viewOf({ from: 0, to: 99 }, 100)).toEqual({ isAway: false, isBeforeStart: false })
  })
})

describe('the room for expiries', () => {
  const axis = { times: timesOf(0, 500), stepMs: STEP }
  const pixels = { width: 800, barSpacing: 8 }
  const order = (expiresAt: number, isSelected = true): ChartOrder => ({
    id: 'o',
    direction: 1,
    entryPrice: 1,
    openedAt: 499 * STEP,
    expiresAt,
    isSelected,
    isPreview: false,
    exit: null,
  })

  it('the room for expiries keeps its default size without a selected order', () => {
    expect(roomFor([], axis, pixels)).toBe(REST_OFFSET)
    expect(roomFor([order(520 * STEP, false)], axis, pixels)).toBe(REST_OFFSET)
  })

  it('the room for expiries reaches two bars beyond the latest expiry', () => {
    expect(roomFor([order(510 * STEP), order(519 * STEP)], axis, pixels)).toBe(22)
  })

  it('the room for expiries fits the zones of a short order', () => {
    expect(roomFor([order(500 * STEP)], axis, pixels)).toBe(11)
  })

  it('the room for expiries takes at most 45 % of the view', () => {
    expect(roomFor([order(900 * STEP)], axis, pixels)).toBe(45)
  })
})
