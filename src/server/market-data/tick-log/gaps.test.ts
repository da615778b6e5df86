import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import {
  createProviderPast,
  withProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import { gapsBetween } from '#server/market-data/tick-log/gap.queries.ts'
import type { ShownCandle, TickService } from '#server/market-data/ticks.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { ScriptedHistory } from '#test/support/scripted-history.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: Bench[] = []
afterEach(async () => {
  for (const { ticks } of running.splice(0)) await ticks.stop()
})

interface Bench {
  ctx: TestContext
  feed: ScriptedFeed
  ticks: TickService
  history: ScriptedHistory
}

/** Starts a feed with scripted prices and a provider that has history. */
async function start(at: Instant = TEST_START): Promise<Bench> {
  const ctx = createTestContext(database.db, at)
  const feed = new ScriptedFeed([BTC, AAPL])
  const history = new ScriptedHistory({ first: later(TEST_START, -3 * DAY_MS), now: () => ctx.now() })
  const symbols = [BTC, AAPL]
  const past = createProviderPast({
    ctx,
    symbols,
    providers: new Map([['one', { history }]]),
    sourcesOf: ({ code }) => ({ sources: [{ provider: 'one', symbol: code, channel: 'trade' }] }),
  })
  const { name, more } = feed
  const spoken = { name, symbols, more, start: feed.start.bind(feed), stop: feed.stop.bind(feed) }
  const whole = withProviderPast({ ...spoken, history: past.history }, past)
  const ticks = createTicks({ ctx, feed: whole, symbols, flushMs: FLUSH_MS })
  await ticks.start()
  const bench = { ctx, feed, ticks, history }
  running.push(bench)
  return bench
}

const FLUSH_MS = 100
const POLL = { interval: 1 }

async function until(ctx: TestContext, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => {
    ctx.clock.advance(250)
    expect(await isSo()).toBe(true)
  }, POLL)
}

/** Reports a price now and waits until it is accepted. */
async function speak({ ctx, feed, ticks }: Bench, units: number, symbolId = BTC.id): Promise<Instant> {
  const time = ctx.now()
  feed.tick(symbolId, units, time)
  ctx.clock.advance(FLUSH_MS)
  await vi.waitFor(() => expect(ticks.latest(symbolId)?.time).toBe(time), POLL)
  return time
}

/** Reports a price every 30 seconds. */
async function speakFor(bench: Bench, ms: number): Promise<void> {
  const end = bench.ctx.now() + ms
  for (let units = 10_000; bench.ctx.now() < end; units += 1) {
    await speak(bench, units)
    bench.ctx.clock.jump(30 * SECOND_MS - FLUSH_MS)
  }
}

const shown = (ticks: TickService, interval: ChartInterval, limit = 60, before?: Instant): Promise<ShownCandle[]> =>
  ticks.shownCandles({ symbolId: BTC.id, interval, limit, ...(before !== undefined && { before }) })
const marksOf = (candles: readonly ShownCandle[], from: Instant) =>
  candles
    .filter(({ candle }) => candle.openTime >= from)
    .map(({ candle, source, isPartial }) => [
      new Date(candle.openTime).toISOString().slice(11, 16),
      source ?? 'own',
      ...(isPartial ? ['partial'] : []),
    ])

it('P9: fills bars with a gap from the provider once they are closed, and keeps complete bars', async () => {
  const bench = await start()
  const { ctx, ticks } = bench
  await speakFor(bench, 2 * MINUTE_MS)
  const last = await speak(bench, 10_100)
  const before = await shown(ticks, '1m')
  // Both sources are down for five minutes.
  ctx.clock.jump(5 * MINUTE_MS + 10 * SECOND_MS)
  const next = await speak(bench, 10_200)
  await until(ctx, async () => (await shown(ticks, '1m', 4)).some(({ source }) => source === 'one'))
  await speakFor(bench, 2 * MINUTE_MS)
  // The bar in which prices arrived again is the last bar that the provider's history fills.
  await until(ctx, async () => marksOf(await shown(ticks, '1m'), TEST_START)[7]?.[1] === 'one')
  const after = await shown(ticks, '1m')
  expect(marksOf(after, TEST_START).slice(0, 9)).toEqual([
    ['15:00', 'own'],
    ['15:01', 'own'],
    ['15:02', 'one'],
    ['15:03', 'one'],
    ['15:04', 'one'],
    ['15:05', 'one'],
    ['15:06', 'one'],
    ['15:07', 'one'],
    ['15:08', 'own'],
  ])
  const own = (candles: readonly ShownCandle[]) => candles.filter(({ source }) => source === null)
  expect(
    own(after)
      .slice(0, 2)
      .map(({ candle }) => candle),
  ).toEqual(
    own(before)
      .slice(0, 2)
      .map(({ candle }) => candle),
  )
  expect(await gapsBetween(database.db, { symbolId: BTC.id, from: TEST_START, until: ctx.now() })).toContainEqual({
    symbolId: BTC.id,
    from: last,
    until: next,
  })
  // Settlement ignores filled history: the ticks around an instant in the gap are the ticks before and after the gap.
  expect(await ticks.aroundInstant(BTC.id, later(last, 2 * MINUTE_MS))).toMatchObject({
    last: { time: last, price: 10_100 },
    next: { time: next, price: 10_200 },
  })
})

it('fills and marks the downtime of the server, also after the next start', async () => {
  const first = await start()
  await speakFor(first, 2 * MINUTE_MS)
  await first.ticks.stop()
  running.splice(0)
  const again = await start(later(first.ctx.now(), 6 * MINUTE_MS))
  await speak(again, 10_300)
  await until(
    again.ctx,
    async () => (await shown(again.ticks, '1m')).filter(({ source }) => source === 'one').length > 3,
  )
  await speakFor(again, 3 * MINUTE_MS)
  const marks = marksOf(await shown(again.ticks, '1m', 20), TEST_START)
  expect(marks.filter(([, source]) => source === 'one').length).toBeGreaterThanOrEqual(4)
  expect(marks.slice(0, 3)).toEqual([
    ['15:00', 'own'],
    ['15:01', 'own', 'partial'],
    ['15:02', 'one'],
  ])
  await again.ticks.stop()
  running.splice(0)
  const third = await start(later(again.ctx.now(), 10 * SECOND_MS))
  await until(third.ctx, async () => {
    const now = marksOf(await shown(third.ticks, '1m', 20), TEST_START)
    return JSON.stringify(now.slice(0, 10)) === JSON.stringify(marks.slice(0, 10))
  })
})

it('sees no gap while the source reports "nothing new" or the market is closed', async () => {
  const bench = await start()
  const { ctx, feed, ticks } = bench
  await speak(bench, 10_000)
  await speak(bench, 20_000, AAPL.id)
  for (let minute = 0; minute < 5; minute += 1) {
    ctx.clock.jump(50 * SECOND_MS)
    const time = ctx.now()
    feed.heartbeat(BTC.id, time)
    await until(ctx, () => (ticks.watermark(BTC.id) ?? 0) >= time)
  }
  expect(await gapsBetween(database.db, { symbolId: BTC.id, from: TEST_START, until: ctx.now() })).toEqual([])
  // New York closes at 20:00 UTC and opens at 13:30.
  const beforeClose = instant(Date.UTC(2026, 2, 18, 19, 59, 45))
  const afterOpen = instant(Date.UTC(2026, 2, 19, 13, 30, 20))
  ctx.clock.jump(beforeClose - ctx.now())
  const last = await speak(bench, 20_001, AAPL.id)
  ctx.clock.jump(afterOpen - ctx.now())
  await speak(bench, 20_002, AAPL.id)
  expect(await gapsBetween(database.db, { symbolId: AAPL.id, from: last, until: ctx.now() })).toEqual([])
})

it("completes the day's figures once the history is known", async () => {
  const bench = await start()
  expect(bench.ticks.day(BTC.id)).toBeNull()
  await speak(bench, 10_000)
  await until(bench.ctx, () => (bench.ticks.day(BTC.id)?.volume ?? 0) > 0)
  expect(bench.ticks.day(BTC.id)).toMatchObject({ spark: { length: 30 }, last: 10_000 })
})

it('pages over provider, own and open bars without gap or overlap', async () => {
  const bench = await start()
  const { ctx, ticks } = bench
  await speakFor(bench, 3 * MINUTE_MS)
  ctx.clock.jump(8 * MINUTE_MS)
  await speakFor(bench, 3 * MINUTE_MS)
  await until(ctx, async () => (await shown(ticks, '1m', 12)).some(({ source }) => source === 'one'))
  // Waits until all known history has been loaded.
  let size = -1
  await until(ctx, async () => {
    const count = (await Promise.all(CHART_INTERVALS.map((one) => shown(ticks, one, 1_000)))).flat().length
    const isStill = count === size
    size = count
    return isStill
  })
  for (const interval of ['1m', '5m', '1h'] as const) {
    const whole = await shown(ticks, interval, 1_000)
    expect(new Set(whole.map(({ source }) => source)).size, interval).toBe(2)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (limit) => {
        const joined: ShownCandle[] = []
        for (let before: Instant | undefined; joined.length < whole.length; before = joined[0]?.candle.openTime) {
          const page = await shown(ticks, interval, limit, before)
          if (page.length === 0) break
          joined.unshift(...page)
        }
        expect(joined.slice(-whole.length)).toEqual(whole)
      }),
      { numRuns: 8 },
    )
  }
})
