import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { foldCandles } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import { PartialHistory, type PastCandle, type HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import {
  createProviderPast,
  type ProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import { ProviderError } from '#server/market-data/feeds/providers/provider.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedHistory, type ScriptedHistoryOptions } from '#test/support/scripted-history.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: Bench[] = []
afterEach(async () => {
  for (const { past, one, two } of running.splice(0)) {
    one.letGo()
    two.letGo()
    await past.stop()
  }
})

const FIRST = later(TEST_START, -3 * DAY_MS)
const POLL = { interval: 1 }

interface Bench {
  ctx: TestContext
  past: ProviderPast
  one: ScriptedHistory
  two: ScriptedHistory
  changes: HistoryRange[]
}

/** Creates a history with two sources that have the same bars and different names. */
function open(
  options: { at?: Instant; symbols?: readonly MarketSymbol[] } & Partial<ScriptedHistoryOptions> = {},
): Bench {
  const { at = TEST_START, symbols = [BTC], ...rest } = options
  const ctx = createTestContext(database.db, at)
  const make = () => new ScriptedHistory({ first: FIRST, now: () => ctx.now(), ...rest })
  const [one, two] = [make(), make()]
  const past = createProviderPast({
    ctx,
    symbols,
    providers: new Map([
      ['one', { history: one }],
      ['two', { history: two }],
    ]),
    sourcesOf: ({ code }) => ({
      sources: ['one', 'two'].map((provider) => ({ provider, symbol: code, channel: 'trade' as const })),
    }),
  })
  const changes: HistoryRange[] = []
  past.onHistoryChanged((stretch) => changes.push(stretch))
  const bench = { ctx, past, one, two, changes }
  running.push(bench)
  return bench
}

async function passes(ctx: TestContext, isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    ctx.clock.advance(250)
    expect(isSo()).toBe(true)
  }, POLL)
}

const page = (past: ProviderPast, interval: ChartInterval, before: Instant, limit: number) =>
  past.history({ symbolId: BTC.id, interval, before, limit })
const times = (candles: readonly PastCandle[]) => candles.map(({ openTime }) => openTime)

describe('provider history at the start', () => {
  it('queries no source before the start, and reports that there may be more bars', async () => {
    const { past, one } = open()
    await expect(page(past, '1m', TEST_START, 10)).rejects.toBeInstanceOf(PartialHistory)
    expect(one.queries).toEqual([])
  })

  it('fetches the newest bars of all symbols in the background, five-minute bars first', async () => {
    const eth = { ...BTC, id: 3, code: 'ETH' }
    const { ctx, past, one, changes } = open({ symbols: [BTC, eth], first: later(TEST_START, -30 * DAY_MS) })
    past.start()
    expect(one.queries).toEqual([])
    await passes(ctx, () => new Set(changes.map(({ symbolId, interval }) => `${symbolId}/${interval}`)).size === 10)
    const inTurn = [...new Set(one.queries.map(({ symbol, interval }) => `${symbol} ${interval}`))]
    expect(inTurn.slice(0, 2)).toEqual(['BTC 5m', 'ETH 5m'])
    for (const interval of CHART_INTERVALS) {
      const bars = await past.storedHistory({ symbolId: 3, interval, from: FIRST, until: TEST_START })
      expect(bars.length, interval).toBeGreaterThanOrEqual(2)
      expect(bars.at(-1), interval).toMatchObject({ source: 'one' })
      // A bar that has just ended may still change at the source.
      expect(bars.at(-1)?.openTime, interval).toBeLessThanOrEqual(ctx.now() - intervalMs(interval) - 10_000)
    }
  })

  it('continues after a restart, and requests only new bars', async () => {
    const first = open()
    first.past.start()
    await page(first.past, '1m', TEST_START, 500)
    await first.past.stop()
    const again = open({ at: later(TEST_START, HOUR_MS) })
    again.past.start()
    const got = await page(again.past, '1m', again.ctx.now(), 500)
    const minuteCalls = again.one.queries.filter(({ interval }) => interval === '1m')
    expect(minuteCalls).toHaveLength(1)
    // The minute that had just ended is requested again.
    expect(minuteCalls[0]?.from).toBe(later(TEST_START, -MINUTE_MS))
    expect(got).toHaveLength(500)
    expect(new Set(times(got)).size).toBe(500)
  })
})

describe('provider history on a server that does not lead the feed', () => {
  it('F1: returns stored bars as complete, and names only the times that no source was asked for', async () => {
    const leader = open()
    leader.past.start()
    const whole = await page(leader.past, '1m', TEST_START, 500)
    await leader.past.stop()
    const { past, one } = open({ at: later(TEST_START, HOUR_MS) })
    const end = later(TEST_START, -MINUTE_MS)
    expect(await page(past, '1m', end, 500)).toEqual(whole)
    const newest: unknown = await page(past, '1m', later(TEST_START, 30 * MINUTE_MS), 500).catch((error) => error)
    expect(newest).toMatchObject({ candles: whole, unknown: [{ from: end, until: later(TEST_START, 30 * MINUTE_MS) }] })
    expect(one.queries).toEqual([])
  })

  it('F1: knows the beginning of the history once the leader has found it', async () => {
    const { past } = open()
    await expect(page(past, '1m', FIRST, 10)).rejects.toBeInstanceOf(PartialHistory)
    const leader = open()
    leader.past.start()
    await page(leader.past, '1m', TEST_START, 100_000)
    const whole = await page(past, '1m', later(TEST_START, -MINUTE_MS), 100_000)
    expect(whole[0]?.openTime).toBeLessThan(later(FIRST, 3 * MINUTE_MS))
    expect(await page(past, '1m', FIRST, 10)).toEqual([])
  })
})

describe('paging back through provider history', () => {
  it('reaches the first bar by adjoining pages, and requests nothing twice', async () => {
    const { past, one } = open()
    past.start()
    const whole = await page(past, '1m', TEST_START, 100_000)
    // Every seventh minute is missing, and the last one is too recent.
    const expected = Array.from({ length: 3 * 24 * 60 - 1 }, (_, index) => FIRST + index * MINUTE_MS).filter(
      (at) => (at / MINUTE_MS) % 7 !== 0,
    )
    expect(times(whole)).toEqual(expected)
    const callsBefore = one.queries.length
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 0, max: 3 * DAY_MS }),
        async (limit, ago) => {
          let before = later(TEST_START, -ago)
          const end = before
          const joined: PastCandle[] = []
          for (let count = 0; count < 3; count += 1) {
            const some = await page(past, '1m', before, limit)
            joined.unshift(...some)
            before = some[0]?.openTime ?? before
          }
          expect(joined).toEqual(whole.filter(({ openTime }) => openTime < end).slice(-3 * limit))
        },
      ),
      { numRuns: 15 },
    )
    expect(one.queries).toHaveLength(callsBefore)
  })

  it('P1: keeps the bars next to an invalid bar, and requests the invalid bar again', async () => {
    const { past, one, two } = open()
    const odd = later(TEST_START, -100 * MINUTE_MS)
    one.garbled.add(odd)
    two.garbled.add(odd)
    past.start()
    const until = { symbolId: BTC.id, interval: '1m', from: FIRST, until: TEST_START } as const
    // Missing bars are reported, and older bars are returned nevertheless.
    await expect(page(past, '1m', TEST_START, 3_000)).rejects.toBeInstanceOf(PartialHistory)
    const stored = times(await past.storedHistory(until))
    expect(stored).not.toContain(odd)
    expect(stored).toContain(later(odd, -MINUTE_MS))
    expect(stored.length).toBeGreaterThan(2_990)
    await expect(page(past, '1m', TEST_START, 200)).rejects.toBeInstanceOf(PartialHistory)
    two.garbled.clear()
    const whole = await page(past, '1m', TEST_START, 200)
    expect(whole.find(({ openTime }) => openTime === odd)).toMatchObject({ source: 'two' })
    expect(one.queries.at(-1)).toMatchObject({ from: odd, before: later(odd, MINUTE_MS) })
  })

  it('P1: does not treat an invalid bar, or a page of invalid bars, as the beginning of the history', async () => {
    const { past, one, two } = open({ first: later(TEST_START, -2 * HOUR_MS) })
    for (const source of [one, two]) source.garbled.add(Math.floor(TEST_START / DAY_MS) * DAY_MS)
    past.start()
    const whole = await page(past, '1m', TEST_START, 10_000)
    expect(whole[0]?.openTime).toBeLessThan(later(TEST_START, -2 * HOUR_MS + 3 * MINUTE_MS))
  })

  it('rounds to the price units of the symbol', async () => {
    const { past } = open()
    past.start()
    const [bar] = await page(past, '1m', TEST_START, 1)
    expect(bar).toMatchObject({ open: expect.any(Number), source: 'one', volume: 1_000_000 })
    expect(bar?.high).toBeLessThan(10_300)
    expect(bar?.high).toBeGreaterThanOrEqual(10_200)
  })

  it('folds intervals that the source lacks, and unaligned days from hours', async () => {
    const { past, one } = open({ intervals: ['1m', '5m', '1h', '1d'], dayShiftMs: 4 * HOUR_MS })
    past.start()
    const fives = await page(past, '5m', TEST_START, 400)
    const halves = await page(past, '30m', TEST_START, 20)
    expect(halves).toEqual(
      foldCandles(fives, '30m')
        .slice(-21, -1)
        .map((candle) => ({ ...candle, source: 'one' })),
    )
    const hours = await page(past, '1h', TEST_START, 1_000)
    const days = await page(past, '1d', TEST_START, 10)
    expect(days).toEqual(
      foldCandles(hours, '1d')
        .slice(0, -1)
        .map((candle) => ({ ...candle, source: 'one' })),
    )
    expect(one.queries.some(({ interval }) => interval === '30m')).toBe(false)
    expect(days.every(({ openTime }) => openTime % DAY_MS === 0)).toBe(true)
  })

  it('leaves out trades outside the sessions, and does not request them', async () => {
    const { past, one } = open({ symbols: [AAPL], first: later(TEST_START, -30 * DAY_MS) })
    past.start()
    const get = (interval: ChartInterval, limit: number) =>
      past.history({ symbolId: AAPL.id, interval, before: TEST_START, limit })
    const minutes = await get('1m', 1_000)
    const days = await get('1d', 5)
    // New York opens at 13:30 and closes at 20:00 UTC in March.
    const inDay = minutes.map(({ openTime }) => openTime % DAY_MS)
    expect(Math.min(...inDay)).toBeGreaterThanOrEqual(13.5 * HOUR_MS)
    expect(Math.max(...inDay)).toBeLessThan(20 * HOUR_MS)
    const halves = await get('30m', 100)
    expect(days.map(({ openTime, open, close }) => [openTime, open, close])).toEqual(
      foldCandles(halves, '1d')
        .slice(-6, -1)
        .map(({ openTime, open, close }) => [openTime, open, close]),
    )
    const minuteQuestions = one.queries.filter(({ interval }) => interval === '1m')
    const saturday = instant(Date.UTC(2026, 2, 14, 12))
    expect(minuteQuestions.filter(({ from, before }) => from > saturday && before < saturday + DAY_MS)).toEqual([])
  })

  it('returns the available bars when there are fewer', async () => {
    const { past } = open({ first: instant(Date.UTC(2030, 0, 1)) })
    past.start()
    expect(await page(past, '1h', TEST_START, 10)).toEqual([])
    expect(await page(past, '1h', instant(5), 10)).toEqual([])
    expect(await past.history({ symbolId: 99, interval: '1h', before: TEST_START, limit: 10 })).toEqual([])
  })
})

describe('a failing history source', () => {
  const failed = new ProviderError('out of order', { retry: true })
  const forbidden = new ProviderError("403 You don't have access to this resource.", { retry: false })

  it('switches to the second source', async () => {
    const { past, one } = open()
    past.start()
    one.failure = failed
    expect((await page(past, '1m', TEST_START, 10)).map(({ source }) => source)).toEqual(Array(10).fill('two'))
  })

  it('queries both again at growing intervals when both fail, and returns stored bars', async () => {
    const { ctx, past, one, two, changes } = open()
    past.start()
    await page(past, '1m', TEST_START, 10)
    one.failure = failed
    two.failure = failed
    const error = await page(past, '1m', later(FIRST, DAY_MS), 10).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(PartialHistory)
    await passes(ctx, () => one.queries.filter(({ interval }) => interval === '1d').length >= 3)
    const before = changes.length
    one.failure = null
    await passes(ctx, () => changes.length >= before + 4)
    expect(await page(past, '1m', later(FIRST, DAY_MS), 10)).toHaveLength(10)
  })

  it('stops querying a source whose plan has no bars, and logs it once', async () => {
    const { ctx, past, one, two } = open()
    past.start()
    one.failure = forbidden
    two.failure = forbidden
    for (const interval of CHART_INTERVALS) expect(await page(past, interval, TEST_START, 10)).toEqual([])
    expect(one.queries).toHaveLength(1)
    expect(ctx.lines.filter(({ message }) => message.includes('refuses its history'))).toHaveLength(2)
  })

  it('delays users by at most a few seconds', async () => {
    const { ctx, past, one } = open()
    past.start()
    one.hangs = true
    const answer = page(past, '1m', TEST_START, 10).catch((error: unknown) => error)
    await vi.waitFor(() => expect(one.queries.length).toBeGreaterThan(0), POLL)
    ctx.clock.advance(5_000)
    expect(await answer).toBeInstanceOf(PartialHistory)
    one.letGo()
    await vi.waitFor(async () => expect(await page(past, '1m', TEST_START, 10)).toHaveLength(10), POLL)
  })
})
