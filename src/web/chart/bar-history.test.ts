import { expect, test, vi } from 'vitest'
import { createBarHistory } from '#web/chart/bar-history.ts'
import type { PageQuery } from '#web/chart/bar-pages.ts'
import type { Bar } from '#web/chart/bar.ts'
import { EMPTY } from '#web/chart/bar-window.ts'

const STEP = 60_000
const START = Date.UTC(2026, 0, 5)

function bar(index: number, close = 1): Bar {
  return { time: START + index * STEP, open: 1, high: 1, low: 1, close, volume: 0 }
}

/** A server with the bars 0 to `count() - 1`, except the bars for which `rest` is true. */
function served(count: () => number, rest: (index: number) => boolean = () => false) {
  return vi.fn<(query: PageQuery) => Promise<Bar[]>>(async ({ limit, before }: PageQuery) =>
    Array.from({ length: count() }, (_, index) => index)
      .filter((index) => !rest(index))
      .map((index) => bar(index))
      .filter(({ time }) => before === undefined || time < before)
      .slice(-limit),
  )
}

function history(load: (query: PageQuery) => Promise<readonly Bar[]>, count: () => number) {
  const seen = { window: EMPTY, changes: 0 }
  const barHistory = createBarHistory({
    stepMs: STEP,
    load,
    now: () => START + count() * STEP - 1,
    onLoading: () => undefined,
    onChange: (window) => {
      seen.window = window
      seen.changes += 1
    },
  })
  const times = () => seen.window.bars.map(({ time }) => (time - START) / STEP)
  return { ...barHistory, seen, times }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))
const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

test('a chart requests each older page once, until no older page exists', async () => {
  const load = served(() => 2_200)
  const chart = history(load, () => 2_200)
  await chart.loadNewest()
  expect(chart.times()).toEqual(range(1_700, 2_200))
  chart.loadOlder()
  chart.loadOlder()
  await settled()
  expect(load).toHaveBeenCalledTimes(2)
  expect(chart.times()).toEqual(range(700, 2_200))
  chart.loadOlder()
  await settled()
  expect([chart.times().length, chart.seen.window.hasOldest]).toEqual([2_200, false])
  chart.loadOlder()
  await settled()
  expect(chart.seen.window.hasOldest).toBe(true)
  chart.loadOlder()
  await settled()
  expect(load).toHaveBeenCalledTimes(4)
})

test('a symbol without candles: the first live candle is accepted and updated', async () => {
  const chart = history(
    served(() => 0),
    () => 1,
  )
  chart.take(bar(0))
  expect(chart.times()).toEqual([])
  await chart.loadNewest()
  chart.take(bar(0))
  chart.take(bar(0, 2))
  chart.take(bar(1))
  expect(chart.seen.window.bars).toEqual([bar(0, 2), bar(1)])
})

test('a chart fills in missed bars, whatever live bars arrive during the loading', async () => {
  let count = 600
  const load = served(() => count)
  const chart = history(load, () => count)
  await chart.loadNewest()
  count = 2_000
  const repair = chart.loadNewest()
  chart.take(bar(1_999, 7))
  chart.take(bar(2_000, 8))
  await repair
  expect(chart.times()).toEqual(range(100, 2_001))
  expect(chart.seen.window.bars.slice(-2).map(({ close }) => close)).toEqual([7, 8])
})

test('a bar that closes while a chart returns to the newest bars keeps its close', async () => {
  let count = 40_000
  const known = served(() => count)
  const replies: ((bars: readonly Bar[]) => void)[] = []
  let isHeld = false
  const load = (query: PageQuery) =>
    isHeld && query.before === undefined
      ? new Promise<readonly Bar[]>((resolve) => {
          replies.push(resolve)
        })
      : known(query)
  const chart = history(load, () => count)
  const last = count - 1
  const bringBack = [() => chart.returnToNewest(), () => chart.loadAround(START + last * STEP)]
  for (const comeBack of bringBack) {
    isHeld = false
    await chart.loadAround(START)
    isHeld = true
    const shown = comeBack()
    chart.take(bar(last, 105))
    chart.take(bar(last + 1, 106))
    replies.pop()?.([bar(last - 1), bar(last)])
    await shown
    expect(chart.seen.window.bars.slice(-2)).toEqual([bar(last, 105), bar(last + 1, 106)])
  }
  count += 1
})

test('a chart requests the missing bars when a live bar skips some', async () => {
  let count = 100
  const chart = history(
    served(() => count),
    () => count,
  )
  await chart.loadNewest()
  count = 105
  chart.take(bar(104, 3))
  await settled()
  expect(chart.times()).toEqual(range(0, 105))
})

test('a chart starts again after a gap of many pages, instead of leaving a hole', async () => {
  let count = 600
  const chart = history(
    served(() => count),
    () => count,
  )
  await chart.loadNewest()
  count = 50_000
  await chart.loadNewest()
  const times = chart.times()
  expect(times).toEqual(range(times[0] ?? 0, 50_000))
})

test('a chart drops the newest bars when the view is far in the past, and reloads them across a long pause', async () => {
  const count = 40_000
  const load = served(
    () => count,
    (index) => index >= 26_000 && index < 36_000,
  )
  const chart = history(load, () => count)
  await chart.loadNewest()
  for (let page = 0; page < 20; page += 1) {
    chart.loadOlder()
    await settled()
  }
  expect(chart.seen.window.hasNewest).toBe(false)
  expect(chart.times().length).toBe(12_000)
  chart.take(bar(count - 1, 9))
  expect(chart.times().at(-1)).toBeLessThan(count - 1)
  for (let page = 0; page < 20 && !chart.seen.window.hasNewest; page += 1) {
    chart.loadNewer()
    await settled()
  }
  expect(chart.seen.window.hasNewest).toBe(true)
  const times = chart.times()
  expect(times).toEqual([...range(0, 26_000), ...range(36_000, count)].slice(-times.length))
})

test('a chart requests a failed page again after a pause', async () => {
  let now = START + 600 * STEP
  const load = vi
    .fn<() => Promise<Bar[]>>()
    .mockResolvedValueOnce([bar(599)])
    .mockRejectedValueOnce(new Error('gone'))
  const chart = createBarHistory({
    stepMs: STEP,
    load,
    now: () => now,
    onLoading: () => undefined,
    onChange: () => undefined,
  })
  await chart.loadNewest()
  chart.loadOlder()
  await settled()
  load.mockResolvedValue([bar(598)])
  chart.loadOlder()
  await settled()
  expect(load).toHaveBeenCalledTimes(2)
  now += 2_000
  chart.loadOlder()
  await settled()
  expect(load).toHaveBeenCalledTimes(3)
})

test('a chart loads the bars around a time in the distant past, then newer bars, then the newest bars', async () => {
  const load = served(() => 20_000)
  const chart = history(load, () => 20_000)
  await chart.loadNewest()
  await chart.loadAround(bar(19_900).time)
  expect(load).toHaveBeenCalledTimes(1)
  await chart.loadAround(bar(5_000).time)
  expect(chart.times()).toEqual(range(4_300, 5_300))
  expect([chart.seen.window.hasNewest, chart.seen.window.hasOldest]).toEqual([false, false])
  chart.take(bar(20_000))
  chart.loadNewer()
  await settled()
  expect(chart.times()).toEqual(range(4_300, 6_300))
  await chart.returnToNewest()
  expect(chart.times()).toEqual(range(19_500, 20_000))
})

test('a chart sent to a time before the first bar shows the first bars, and in a pause it shows the bars before the pause', async () => {
  const closed = (index: number) => index < 1_000 || (index > 3_000 && index < 9_000)
  const chart = history(
    served(() => 20_000, closed),
    () => 20_000,
  )
  await chart.loadNewest()
  await chart.loadAround(bar(0).time)
  expect(chart.times()[0]).toBe(1_000)
  await chart.loadAround(bar(8_900).time)
  expect(chart.times()[0]).toBeLessThan(3_001)
  expect(chart.times()).toContain(9_100)
})

/** The requests that a chart makes to show bars beyond a pause of four years. */
const MAX_REQUESTS = 30

test('a date years before the first bar shows the first bars after a few requests', async () => {
  const first = 2_100_000
  const count = first + 1_300_000
  const load = servedFrom(first, count)
  const chart = history(load, () => count)
  await chart.loadAround(bar(0).time)
  expect(load.mock.calls.length).toBeLessThan(MAX_REQUESTS)
  const times = chart.times()
  expect(times).toEqual(range(first, first + times.length))
  expect([chart.seen.window.hasNewest, times.length > 0]).toEqual([false, true])
})

test('a chart needs only a few requests to pass a pause of years, and no bar after the pause is missing', async () => {
  const first = 2_100_000
  const count = first + 1_300_000
  const load = servedFrom(first, count, 1_000)
  const chart = history(load, () => count)
  await chart.loadAround(bar(100).time)
  expect(chart.times()).toEqual(range(0, 400))
  chart.loadNewer()
  await vi.waitFor(() => expect(chart.times()).toEqual(range(0, 1_000)))
  load.mockClear()
  chart.loadNewer()
  await vi.waitFor(() => expect(chart.times().length).toBeGreaterThan(1_000))
  expect(load.mock.calls.length).toBeLessThan(MAX_REQUESTS)
  const times = chart.times()
  expect(times).toEqual([...range(0, 1_000), ...range(first, first + times.length - 1_000)])
})

/** A server with the bars `first` to `count - 1` and, before a pause, the bars 0 to `early - 1`; 500 per page. */
function servedFrom(first: number, count: number, early = 0) {
  return vi.fn<(query: PageQuery) => Promise<Bar[]>>(async ({ limit, before = Infinity }) => {
    const end = Math.min(count, Math.ceil((before - START) / STEP))
    const size = Math.min(limit, 500)
    const old = Math.max(0, size - Math.max(0, end - first))
    const oldEnd = Math.min(early, end)
    return [...range(Math.max(0, oldEnd - old), oldEnd), ...range(Math.max(first, end - size), end)].map((i) => bar(i))
  })
}

test('F29: older and newer bars that failed to load are loaded when the connection is back, without scrolling', async () => {
  const load = served(() => 5_000)
  const chart = history(load, () => 5_000)
  await chart.loadAround(START + 1_000 * STEP)
  const before = chart.times()
  load.mockRejectedValueOnce(new Error('no network')).mockRejectedValueOnce(new Error('no network'))
  chart.loadOlder()
  chart.loadNewer()
  await settled()
  expect(chart.times()).toEqual(before)
  chart.retryFailed()
  await settled()
  expect([chart.times()[0], chart.times().at(-1)]).toEqual([0, (before.at(-1) ?? 0) + 1_000])
  const { length } = load.mock.calls
  chart.retryFailed()
  await settled()
  expect(load).toHaveBeenCalledTimes(length)
})
