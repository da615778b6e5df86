import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fetched, followCourse } from '#web/chart/follow-course.ts'
import { firstUnknown, type Stretch, type TickPoint } from '#web/chart/price-course.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SECOND = 1_000
const EVERY = 2 * SECOND

/** A source with a tick every 100 ms. The follower requests the ticks that it did not receive live. */
function aCourse({ now = 20 * SECOND, pieceMs = 600 * SECOND }: { now?: number; pieceMs?: number } = {}) {
  const at = { now, isOut: false, live: [] as Stretch[] }
  const requests: number[] = []
  const ticks = (from: number, through: number): TickPoint[] => {
    const first = Math.ceil(from / 100)
    return Array.from({ length: Math.max(0, Math.floor(through / 100) - first + 1) }, (_, step) => ({
      time: (first + step) * 100,
      price: first + step,
    }))
  }
  const stretch = (from: number, through: number): Stretch => ({ from, through, ticks: ticks(from, through) })
  const follower = followCourse({
    span: { from: 0, through: 60 * SECOND },
    load: async (from): Promise<Fetched> => {
      requests.push(from)
      if (at.isOut) throw new TypeError('Failed to fetch')
      return Promise.resolve(stretch(from, Math.min(from + pieceMs, at.now)))
    },
    live: () => at.live,
    newest: () => at.live.at(-1)?.through ?? at.now,
    everyMs: EVERY,
    onChange: () => undefined,
  })
  const missing = () => firstUnknown(follower.course().stretches, { from: 0, through: at.now })
  return { at, requests, stretch, follower, missing }
}

const settle = async (ms = 100) => vi.advanceTimersByTimeAsync(ms)

describe('the price course of an order', () => {
  it('P16: the price course is requested once after a reload, starting at the entry', async () => {
    const { at, requests, stretch, follower, missing } = aCourse()
    at.live = [stretch(20 * SECOND, 20 * SECOND)]
    follower.look()
    await settle()
    expect(missing()).toBeNull()
    for (let more = 0; more < 50; more += 1) {
      at.now += 100
      at.live = [stretch(20 * SECOND, at.now)]
      follower.look()
      await settle()
    }
    expect(requests).toEqual([0])
    expect(follower.course().isSettled).toBe(true)
    follower.stop()
  })

  it('P16: the price course is requested in pieces for a long order', async () => {
    const { requests, follower, missing } = aCourse({ now: 23 * SECOND, pieceMs: 6 * SECOND })
    follower.look()
    await settle(SECOND)
    expect(requests).toEqual([0, 6 * SECOND, 12 * SECOND, 18 * SECOND])
    expect(missing()).toBeNull()
    follower.stop()
  })

  it('P16: the price course has a hole while the page is hidden, which is filled when the page is shown again', async () => {
    const { at, requests, stretch, follower, missing } = aCourse()
    follower.look()
    await settle()
    at.now = 40 * SECOND
    at.live = [stretch(38 * SECOND, at.now)]
    expect(missing()).toBe(20 * SECOND)
    follower.lookNow()
    await settle()
    expect(requests).toEqual([0, 20 * SECOND])
    expect(missing()).toBeNull()
    follower.stop()
  })

  it('P16: the price course is requested again after a failure with growing pauses, and immediately on reconnection', async () => {
    const { at, requests, follower, missing } = aCourse()
    at.isOut = true
    follower.look()
    await settle(15 * SECOND)
    expect(requests).toHaveLength(4)
    expect(follower.course()).toMatchObject({ isSettled: true, stretches: [] })
    at.isOut = false
    follower.lookNow()
    await settle()
    expect(missing()).toBeNull()
    follower.stop()
  })

  it('P16: the follower limits how often a silent source is queried', async () => {
    const { at, requests, stretch, follower } = aCourse()
    follower.look()
    await settle()
    for (let more = 1; more <= 10; more += 1) {
      at.now += 1_500
      at.live = [...at.live, stretch(at.now, at.now)]
      follower.look()
      await settle(1_500)
    }
    expect(requests.length).toBeLessThanOrEqual(1 + (10 * 1_500) / EVERY + 1)
    follower.stop()
  })

  it('P16: the follower stops loading when the page closes', async () => {
    const { at, requests, follower } = aCourse()
    at.isOut = true
    follower.look()
    await settle()
    follower.stop()
    await settle(60 * SECOND)
    expect(requests).toHaveLength(1)
  })
})
