import type { KyselyPlugin } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { barOpenTime, type Candle, foldTicks } from '#core/markets/candle.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { price, volume } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { REPLAY_SOURCES } from '#server/market-data/feeds/replay/replay-symbols.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService, ClosedCandle } from '#server/market-data/ticks.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: TickService[] = []
afterEach(async () => {
  for (const ticks of running.splice(0)) await ticks.stop()
})

const POLL = { interval: 1 }
const sources = REPLAY_SOURCES.filter(({ symbol }) => symbol.code === 'BTC')
const replay = (ctx: TestContext): Feed =>
  createReplayFeed({ clock: ctx.clock, dataDir: projectFile('data/'), startAt: instant(0), sources })

interface Bench<F extends Feed> {
  readonly ctx: TestContext
  readonly feed: F
  readonly ticks: TickService
  readonly closed: ClosedCandle[]
}

async function start<F extends Feed>(at: Instant, make: (ctx: TestContext) => F): Promise<Bench<F>> {
  const ctx = createTestContext(database.db, at)
  const feed = make(ctx)
  const ticks = createTicks({ ctx, feed, symbols: feed.symbols, flushMs: 100 })
  const closed: ClosedCandle[] = []
  ticks.onCandleClosed((candle) => closed.push(candle))
  await ticks.start()
  running.push(ticks)
  return { ctx, feed, ticks, closed }
}

async function stop({ ticks }: Bench<Feed>): Promise<void> {
  running.splice(running.indexOf(ticks), 1)
  await ticks.stop()
}

/** Advances time. Afterwards all but the prices of the last two seconds are in the log. */
async function passTo({ ctx, ticks }: Bench<Feed>, at: Instant, symbolId = BTC.id): Promise<void> {
  while (ctx.now() < at) {
    ctx.clock.advance(Math.min(500, at - ctx.now()))
    const now = ctx.now()
    await vi.waitFor(() => {
      // Runs the timers that fell due while a batch was being written.
      ctx.clock.advance(0)
      expect(ticks.watermark(symbolId)).toBeGreaterThan(now - 2 * SECOND_MS)
    }, POLL)
  }
}

async function shownBar({ ticks }: Bench<Feed>, interval: ChartInterval, openTime: Instant, symbolId = BTC.id) {
  const before = later(openTime, intervalMs(interval))
  const [shown] = await ticks.shownCandles({ symbolId, interval, before, limit: 1 })
  return shown?.candle.openTime === openTime ? shown : null
}

/** Returns a bar as the recording has it, read from a feed whose clock is later than the end of the bar. */
async function recorded(interval: ChartInterval, openTime: Instant) {
  const end = later(openTime, intervalMs(interval))
  const [bar] = await replay(createTestContext(database.db, end)).history({
    symbolId: BTC.id,
    interval,
    before: end,
    limit: 1,
  })
  return bar
}

it.each([1, 2, 4])('P9: on a start %i s past midnight, takes the bars before it from the history', async (seconds) => {
  const midnight = later(TEST_START, 9 * HOUR_MS)
  const bench = await start(later(midnight, seconds * SECOND_MS), replay)
  await passTo(bench, later(midnight, 65 * SECOND_MS))
  expect(await loggedTicks(database.db, later(midnight, -5_000), later(midnight, -1), BTC.id)).not.toEqual([])
  for (const interval of CHART_INTERVALS) {
    const openTime = later(midnight, -intervalMs(interval))
    const expected = { candle: await recorded(interval, openTime), source: 'replay', isPartial: false }
    expect(await shownBar(bench, interval, openTime), interval).toEqual(expected)
  }
  expect(bench.closed.map(({ candle }) => candle.openTime).filter((openTime) => openTime < midnight)).toEqual([])
  // After the next start the candles are the same, although the partial bar of the first start is stored.
  await stop(bench)
  const again = await start(later(midnight, 70 * SECOND_MS), replay)
  for (const interval of CHART_INTERVALS) {
    const openTime = later(midnight, -intervalMs(interval))
    expect((await shownBar(again, interval, openTime))?.candle, interval).toEqual(await recorded(interval, openTime))
  }
})

it('P9: takes the bars of a day on which the server was down from the history', async () => {
  const first = await start(later(TEST_START, 20 * SECOND_MS), replay)
  await passTo(first, later(TEST_START, 30 * SECOND_MS))
  await stop(first)
  const backAt = later(TEST_START, DAY_MS + 3 * SECOND_MS)
  const bench = await start(backAt, replay)
  await passTo(bench, later(backAt, 65 * SECOND_MS))
  for (const interval of CHART_INTERVALS) {
    for (const openTime of [barOpenTime(TEST_START, interval), barOpenTime(later(backAt, -5_000), interval)]) {
      if (openTime + intervalMs(interval) > bench.ctx.now()) continue
      expect((await shownBar(bench, interval, openTime))?.candle, interval).toEqual(await recorded(interval, openTime))
    }
  }
})

it('P9: marks a bar unknown to history as partial and does not announce it as closed', async () => {
  const bench = await start(later(TEST_START, 10 * SECOND_MS), () => new ScriptedFeed([BTC]))
  const { ctx, feed, ticks, closed } = bench
  feed.tick(BTC.id, 100_00, later(TEST_START, -2 * SECOND_MS), 5)
  feed.tick(BTC.id, 101_00, later(TEST_START, -SECOND_MS), 5)
  feed.tick(BTC.id, 102_00, ctx.now(), 5)
  await vi.waitFor(() => {
    ctx.clock.advance(100)
    expect(ticks.latest(BTC.id)?.price).toBe(102_00)
  }, POLL)
  for (const interval of CHART_INTERVALS.slice(0, -1)) {
    const stub = await shownBar(bench, interval, later(TEST_START, -intervalMs(interval)))
    expect(stub, interval).toMatchObject({
      source: null,
      isPartial: true,
      candle: { open: 100_00, close: 101_00, volume: 10 },
    })
  }
  expect(await shownBar(bench, '1m', TEST_START)).toMatchObject({ isPartial: true })
  expect(closed).toEqual([])
})

it('P9: treats a bar as complete when the bar begins exactly when the server starts', async () => {
  const bench = await start(TEST_START, () => new ScriptedFeed([BTC]))
  const { ctx, feed, closed } = bench
  for (const [at, units] of [100_00, 103_00, 101_00].entries()) {
    feed.tick(BTC.id, units, later(TEST_START, at * 25 * SECOND_MS), 1)
    ctx.clock.advance(25 * SECOND_MS)
  }
  feed.tick(BTC.id, 102_00, ctx.now(), 1)
  await vi.waitFor(() => {
    ctx.clock.advance(100)
    expect(closed).toHaveLength(1)
  }, POLL)
  expect(closed[0]).toMatchObject({ interval: '1m', candle: { open: 100_00, high: 103_00, close: 101_00, volume: 3 } })
  expect(await shownBar(bench, '1m', TEST_START)).toMatchObject({ source: null, isPartial: false })
})

it('P10: counts each price once in open bars and day figures, after any number of starts', async () => {
  const five = later(TEST_START, 5 * MINUTE_MS)
  let at = later(five, 61 * SECOND_MS)
  let bench = await start(at, replay)
  for (let round = 0; round < 3; round += 1) {
    at = later(at, 8 * SECOND_MS)
    await passTo(bench, at)
    await stop(bench)
    at = later(at, 2 * SECOND_MS)
    bench = await start(at, replay)
  }
  // The minute in which the starts happened is over, so the history has all prices that were missed in it.
  await passTo(bench, later(five, 125 * SECOND_MS))
  const { ctx, ticks, feed } = bench
  // The feed reports nothing after this moment, and the log writes everything that was reported before it.
  const now = ctx.now()
  await feed.stop()
  ctx.clock.advance(100)
  for (const interval of CHART_INTERVALS.slice(1)) {
    const [expected] = await feed.history({ symbolId: BTC.id, interval, before: later(now, 1), limit: 1 })
    await vi.waitFor(() => expect(ticks.openCandle(BTC.id, interval), interval).toEqual(expected), POLL)
    expect(expected?.openTime).toBe(barOpenTime(now, interval))
  }
  const begin = Math.floor((now - DAY_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS
  const bars = await feed.history({ symbolId: BTC.id, interval: '5m', before: later(now, 1), limit: 300 })
  const traded = bars.filter(({ openTime }) => openTime >= begin).reduce((sum, { volume }) => sum + volume, 0)
  await vi.waitFor(() => expect(ticks.day(BTC.id)?.volume).toBe(traded), POLL)
})

it('P10: logs a price once that a source sends again after a restart', async () => {
  const prices = async () =>
    (await loggedTicks(database.db, TEST_START, later(TEST_START, MINUTE_MS), BTC.id)).map(({ price }) => price)
  const speak = async ({ ctx, feed, ticks }: Bench<ScriptedFeed>, all: readonly number[], last: number) => {
    for (const units of all) feed.tick(BTC.id, units, later(TEST_START, SECOND_MS), 7)
    await vi.waitFor(() => {
      ctx.clock.advance(100)
      expect(ticks.latest(BTC.id)?.price).toBe(last)
    }, POLL)
  }
  const first = await start(later(TEST_START, SECOND_MS), () => new ScriptedFeed([BTC]))
  // Two equal trades of one millisecond count twice.
  await speak(first, [100_00, 100_00, 101_00], 101_00)
  await stop(first)
  const second = await start(later(TEST_START, 3 * SECOND_MS), () => new ScriptedFeed([BTC]))
  await speak(second, [100_00, 100_00, 101_00, 102_00, 100_00], 100_00)
  expect(await prices()).toEqual([100_00, 100_00, 101_00, 102_00, 100_00])
  expect(second.ticks.openCandle(BTC.id, '1m')?.volume).toBe(35)
})

it('P9: after the clock was set back, does not mark a bar as partial that was already closed and complete', async () => {
  const first = await start(TEST_START, replay)
  await passTo(first, later(TEST_START, 125 * SECOND_MS))
  const before = await first.ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 3 })
  await stop(first)
  const bench = await start(later(TEST_START, 80 * SECOND_MS), replay)
  await passTo(bench, later(TEST_START, 190 * SECOND_MS))
  const after = await bench.ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 10 })
  for (const shown of before.slice(0, -1)) expect(after).toContainEqual(shown)
  expect((await shownBar(bench, '1m', later(TEST_START, 2 * MINUTE_MS)))?.candle).toEqual(
    await recorded('1m', later(TEST_START, 2 * MINUTE_MS)),
  )
})

it('P9: takes the open bars of a symbol added later from its history', async () => {
  const listed = CATALOGUE.filter(({ id }) => id <= 2)
  const [one, two] = listed
  assert(one !== undefined && two !== undefined, 'the catalogue lists two symbols')
  const make = (ctx: TestContext) => createSyntheticFeed({ clock: ctx.clock, seed: 'added', symbols: [one] })
  const bench = await start(TEST_START, make)
  await passTo(bench, later(TEST_START, 130 * SECOND_MS), one.id)
  const added: MarketSymbol = two
  await bench.ticks.add(added)
  await passTo(bench, later(TEST_START, 140 * SECOND_MS), one.id)
  await passTo(bench, later(TEST_START, 5 * MINUTE_MS + 3 * SECOND_MS), added.id)
  const { feed } = bench
  for (const [interval, openTime] of [
    ['1m', later(TEST_START, 2 * MINUTE_MS)],
    ['5m', TEST_START],
    ['1h', later(TEST_START, -HOUR_MS)],
  ] as const) {
    const before = later(openTime, intervalMs(interval))
    const [known] = await feed.history({ symbolId: added.id, interval, before, limit: 1 })
    expect(await shownBar(bench, interval, openTime, added.id), interval).toMatchObject({
      candle: known,
      source: 'synthetic',
    })
  }
  expect(await shownBar(bench, '1m', later(TEST_START, 3 * MINUTE_MS), added.id)).toMatchObject({
    source: null,
    isPartial: false,
  })
})

it('P9: marks a bar as partial when its prices were dropped while the log could not be written', async () => {
  let isBroken = true
  const failing: KyselyPlugin = {
    transformQuery({ node }) {
      if (isBroken && node.kind === 'InsertQueryNode') throw new Error('the disk is full')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const ctx = createTestContext(database.db.withPlugin(failing), TEST_START)
  const feed = new ScriptedFeed([BTC])
  const ticks = createTicks({ ctx, feed, symbols: [BTC], flushMs: 100, maxBuffered: 1_500 })
  running.push(ticks)
  await ticks.start()
  feed.tick(BTC.id, 100_00, TEST_START, 1)
  ctx.clock.advance(31 * SECOND_MS)
  feed.heartbeat(BTC.id, ctx.now())
  ctx.clock.advance(30 * SECOND_MS)
  // The first of these ticks are dropped.
  for (let count = 0; count < 2_000; count += 1) feed.tick(BTC.id, 101_00, later(ctx.now(), -100), 1)
  isBroken = false
  await vi.waitFor(() => {
    ctx.clock.advance(500)
    expect(ticks.latest(BTC.id)?.price).toBe(101_00)
  }, POLL)
  const shown = await ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 2 })
  expect(shown.map(({ candle, isPartial }) => [candle.volume, isPartial])).toEqual([
    [1, false],
    [1_000, true],
  ])
})

describe('P9: a server whose source has no prices for a time', () => {
  async function listening() {
    const bench = await start(TEST_START, () => new ScriptedFeed([BTC]))
    await says(bench, 0, 100_00, 5)
    bench.ctx.clock.advance(19 * SECOND_MS)
    bench.feed.heartbeat(BTC.id, later(TEST_START, 20 * SECOND_MS))
    return bench
  }

  async function says({ ctx, feed, ticks }: Bench<ScriptedFeed>, seconds: number, units: number, size = 1) {
    const time = later(TEST_START, seconds * SECOND_MS)
    ctx.clock.advance(Math.max(0, time - ctx.now()))
    feed.tick(BTC.id, units, time, size)
    await vi.waitFor(() => {
      ctx.clock.advance(1)
      expect(ticks.latest(BTC.id)?.time).toBe(time)
    }, POLL)
  }

  const marks = async ({ ticks }: Bench<Feed>) =>
    (await ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 3 })).map(
      ({ candle, isPartial }) => [candle.volume, isPartial] as const,
    )

  it.each([
    ['on a connection that stood', later(TEST_START, 20 * SECOND_MS)],
    ['while it was not connected', null],
  ])('marks the bar %s, before and after the next price', async (_, from) => {
    const bench = await listening()
    bench.feed.misses(BTC.id, from)
    bench.ctx.clock.advance(41 * SECOND_MS)
    expect(await marks(bench)).toEqual([[5, true]])
    await says(bench, 63, 101_00)
    expect(await marks(bench)).toEqual([
      [5, true],
      [1, true],
    ])
    await says(bench, 121, 102_00)
    await says(bench, 125, 102_00)
    expect(await marks(bench)).toEqual([
      [5, true],
      [1, true],
      [2, false],
    ])
  })

  it('takes the bar from a history that contains the bar, and announces it as closed with the data known at that time', async () => {
    const bench = await listening()
    bench.feed.misses(BTC.id, null)
    await says(bench, 30, 99_00)
    bench.feed.past.set(BTC.id, [barOf(TEST_START, 7)])
    await says(bench, 61, 101_00)
    await vi.waitFor(() => {
      bench.ctx.clock.advance(1)
      expect(bench.closed.map(({ interval, candle }) => [interval, candle.volume])).toEqual([['1m', 6]])
    }, POLL)
    expect((await shownBar(bench, '1m', TEST_START))?.candle.volume).toBe(7)
  })
})

function barOf(openTime: Instant, size: number): Candle {
  const [bar] = foldTicks([{ price: price(100_00), volume: volume(size), time: openTime }], '1m')
  assert(bar, 'one tick makes a bar')
  return bar
}
