import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBarHistory } from '#web/chart/bar-history.ts'
import { loadPastBars } from '#web/chart/candle-data.ts'
import { EMPTY } from '#web/chart/bar-window.ts'

const { call, loadCandlePage } = vi.hoisted(() => ({
  call: vi.fn<() => Promise<unknown>>(),
  loadCandlePage: vi.fn<() => Promise<unknown>>(),
}))
vi.mock('#web/api/call.ts', () => ({ call }))
vi.mock('#web/api/load-candle-page.ts', () => ({ loadCandlePage }))

const STEP = 60_000
/** Aligned to a page of 500 minutes. */
const START = 500 * STEP * 58_000
const NOW = START + 10_000 * STEP
const { signal } = new AbortController()

/** A reply with the bars at these indexes. */
const reply = (indexes: readonly number[], isIncomplete = false) => ({
  data: indexes.map((index) => [START + index * STEP, 1, 1, 1, 1, 0]),
  meta: { provider: [], partial: [], ...(isIncomplete && { incomplete: true }) },
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const load = (before?: number) =>
  loadPastBars(
    {
      symbol: 'BTCUSDT',
      marketType: 'crypto',
      interval: '1m',
      now: NOW,
      ...(before !== undefined && { before: START + before * STEP }),
    },
    signal,
  ).then((bars) => bars.map(({ time }) => (time - START) / STEP))

beforeEach(() => {
  call.mockReset()
  loadCandlePage.mockReset()
})

test('bars that are missing because a source did not reply are not the end of the history', async () => {
  const seen = { window: EMPTY }
  const chart = createBarHistory({
    stepMs: STEP,
    now: () => NOW,
    load: (query) =>
      loadPastBars({ symbol: 'BTCUSDT', marketType: 'crypto', interval: '1m', now: NOW, ...query }, signal),
    onLoading: () => undefined,
    onChange: (window) => {
      seen.window = window
    },
  })
  call.mockResolvedValueOnce(reply(range(9_500, 10_000)))
  await chart.loadNewest()
  loadCandlePage.mockResolvedValueOnce(reply([], true))
  call.mockResolvedValueOnce(reply([], true))
  chart.loadOlder()
  await vi.waitFor(() => expect(loadCandlePage).toHaveBeenCalledTimes(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect([seen.window.bars.length, seen.window.hasOldest]).toEqual([500, false])
  loadCandlePage.mockResolvedValueOnce(reply(range(9_000, 9_500)))
  chart.retryFailed()
  await vi.waitFor(() => expect(seen.window.bars.length).toBe(1_000))
})

test.each([
  ['a page', () => loadCandlePage.mockResolvedValueOnce(reply(range(0, 300), true))],
  [
    'the candles by count',
    () => {
      loadCandlePage.mockResolvedValueOnce(reply([]))
      call.mockResolvedValueOnce(reply(range(0, 300), true))
    },
  ],
])('%s with older bars than those that a source did not return is not joined to newer bars', async (_, mock) => {
  mock()
  await expect(load(500)).rejects.toMatchObject({ kind: 'fault' })
})

test('the bars that join the newer ones are used while a source does not reply', async () => {
  loadCandlePage.mockResolvedValueOnce(reply([...range(0, 100), ...range(400, 440), ...range(450, 500)], true))
  expect(await load(500)).toEqual([...range(400, 440), ...range(450, 500)])
  call.mockResolvedValueOnce(reply([...range(0, 100), ...range(9_900, 10_000)], true))
  expect(await load()).toEqual(range(9_900, 10_000))
})

test('a long pause in a complete reply is shown', async () => {
  loadCandlePage.mockResolvedValueOnce(reply(range(0, 100)))
  expect(await load(500)).toEqual(range(0, 100))
})

describe('F1: an incomplete reply of a market that closes', () => {
  const FIVE = 5 * STEP
  const tuesday = Date.UTC(2026, 2, 17, 13, 30)
  const monday = Date.UTC(2026, 2, 16, 13, 30)
  const friday = Date.UTC(2026, 2, 13, 13, 30)
  /** The times of the 78 bars of a session that opens then, in New York from 9:30 to 16:00. */
  const session = (opens: number) => Array.from({ length: 78 }, (_, index) => opens + index * FIVE)
  const incomplete = (times: readonly number[]) => ({
    data: times.map((time) => [time, 1, 1, 1, 1, 0]),
    meta: { provider: [], partial: [], incomplete: true },
  })
  const stock = { symbol: 'AAPL', marketType: 'us_stocks', interval: '5m', now: tuesday + 30 * STEP } as const
  const times = (bars: readonly { time: number }[]) => bars.map(({ time }) => time)

  test('shows the bars before a night and a weekend', async () => {
    const all = [...session(friday), ...session(monday), tuesday, tuesday + FIVE]
    call.mockResolvedValueOnce(incomplete(all))
    expect(times(await loadPastBars(stock, signal))).toEqual(all)
    loadCandlePage.mockResolvedValueOnce(incomplete([...session(friday), ...session(monday)]))
    const older = await loadPastBars({ ...stock, now: tuesday + 5_000 * STEP, before: tuesday }, signal)
    expect(times(older)).toEqual([...session(friday), ...session(monday)])
  })

  test('requests the bars by count after a page without bars', async () => {
    loadCandlePage.mockResolvedValueOnce(incomplete([]))
    call.mockResolvedValueOnce(incomplete(session(monday)))
    const older = await loadPastBars({ ...stock, now: tuesday + 5_000 * STEP, before: tuesday }, signal)
    expect(times(older)).toEqual(session(monday))
  })

  test('does not join bars across open hours without bars', async () => {
    loadCandlePage.mockResolvedValueOnce(incomplete(session(friday)))
    const older = loadPastBars({ ...stock, now: tuesday + 5_000 * STEP, before: tuesday }, signal)
    await expect(older).rejects.toMatchObject({ kind: 'fault' })
  })
})
