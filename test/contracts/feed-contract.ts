import { describe, expect, test } from 'vitest'
import { foldCandles, foldTicks, type Candle } from '#core/markets/candle.ts'
import { isOpen } from '#core/markets/calendar/sessions.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Feed, FeedSink } from '#server/market-data/feeds/base/feed.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

export interface FeedUnderTest {
  /** Creates a feed that is not started. Equal clocks give equal feeds. */
  readonly create: (clock: FakeClock) => Feed
  /** An instant at which every market of the feed is open for ten minutes. */
  readonly openAt: Instant
  /** An instant at which the US stock market is closed for ten minutes. */
  readonly closedAt: Instant
}

/** Records all ticks, and with each heartbeat the number of ticks before it. */
class Recorder implements FeedSink {
  readonly ticks: SourceTick[] = []
  readonly heartbeats: { symbolId: number; time: Instant; ticksBefore: number }[] = []

  tick(tick: SourceTick): void {
    this.ticks.push(tick)
  }

  heartbeat(symbolId: number, time: Instant): void {
    this.heartbeats.push({ symbolId, time, ticksBefore: this.ticks.length })
  }

  doubt(): void {}

  ticksOf(symbolId: number): SourceTick[] {
    return this.ticks.filter((tick) => tick.symbolId === symbolId)
  }
}

/** Defines the tests for every feed that generates its own ticks. */
export function describeFeedContract(name: string, feed: FeedUnderTest): void {
  describeTicks(name, feed)
  describeStops(name, feed)
  describePages(name, feed)
  describeBounds(name, feed)
}

async function run(create: FeedUnderTest['create'], startAt: Instant, forMs: number) {
  const clock = new FakeClock(startAt)
  const feed = create(clock)
  const recorder = new Recorder()
  await feed.start(recorder)
  clock.advance(forMs)
  return { clock, feed, recorder }
}

function describeTicks(name: string, { create, openAt, closedAt }: FeedUnderTest): void {
  describe(`${name} as a feed`, () => {
    test('every symbol has ticks, ascending in source time, never from the future', async () => {
      const { clock, feed, recorder } = await run(create, openAt, 3 * MINUTE_MS)
      for (const symbol of feed.symbols) {
        const ticks = recorder.ticksOf(symbol.id)
        expect(ticks.length).toBeGreaterThan(0)
        expect(ticks).toEqual(ticks.toSorted((a, b) => a.time - b.time))
      }
      const known = new Set(feed.symbols.map((symbol) => symbol.id))
      for (const tick of recorder.ticks) {
        expect(known).toContain(tick.symbolId)
        expect(tick.source).toBe(feed.name)
        expect(Number.isSafeInteger(tick.price) && tick.price > 0).toBe(true)
        expect(Number.isSafeInteger(tick.volume) && tick.volume >= 0).toBe(true)
      }
      expect(Math.max(...recorder.ticks.map((tick) => tick.time))).toBeLessThanOrEqual(clock.now())
      await feed.stop()
    })

    test('no tick arrives at or before the time of an earlier heartbeat', async () => {
      const { feed, recorder } = await run(create, openAt, 2 * MINUTE_MS)
      const late = recorder.heartbeats.filter((beat) =>
        recorder.ticks
          .slice(beat.ticksBefore)
          .some((tick) => tick.symbolId === beat.symbolId && tick.time <= beat.time),
      )
      expect(late).toEqual([])
      await feed.stop()
    })

    test.each([
      ['open', openAt],
      ['closed', closedAt],
    ])('every symbol has a heartbeat about once a second while the market is %s', async (_, startAt) => {
      const { clock, feed, recorder } = await run(create, startAt, 20 * SECOND_MS)
      for (const { id } of feed.symbols) {
        const times = recorder.heartbeats.filter((beat) => beat.symbolId === id).map((beat) => beat.time)
        const steps = times.slice(1).map((time, at) => time - (times[at] ?? time))
        expect(Math.max(...steps)).toBeLessThanOrEqual(2 * SECOND_MS)
        expect(Math.min(...steps)).toBeGreaterThan(SECOND_MS / 2)
        expect(clock.now() - (times.at(-1) ?? 0)).toBeLessThanOrEqual(2 * SECOND_MS)
      }
      await feed.stop()
    })

    test('a closed market has no ticks', async () => {
      const { feed, recorder } = await run(create, closedAt, 5 * MINUTE_MS)
      const marketOf = new Map(feed.symbols.map((symbol) => [symbol.id, symbol.marketType]))
      const outside = recorder.ticks.filter((tick) => !isOpen(marketOf.get(tick.symbolId) ?? 'crypto', tick.time))
      expect(outside).toEqual([])
      expect(recorder.ticks.some((tick) => marketOf.get(tick.symbolId) === 'us_stocks')).toBe(false)
      await feed.stop()
    })
  })
}

function describeStops(name: string, { create, openAt }: FeedUnderTest): void {
  describe(`${name} as a feed`, () => {
    test('a stopped feed sends nothing, leaves no timer, and can be started again', async () => {
      const { clock, feed, recorder } = await run(create, openAt, 10 * SECOND_MS)
      await feed.stop()
      const before = { ticks: recorder.ticks.length, heartbeats: recorder.heartbeats.length }
      clock.advance(MINUTE_MS)
      expect({ ticks: recorder.ticks.length, heartbeats: recorder.heartbeats.length }).toEqual(before)
      expect(clock.pendingTimers).toBe(0)
      await feed.start(recorder)
      clock.advance(10 * SECOND_MS)
      expect(recorder.ticks.length).toBeGreaterThan(before.ticks)
      await feed.stop()
    })

    test('ticks missed in a long pause are not sent later', async () => {
      const { clock, feed, recorder } = await run(create, openAt, SECOND_MS)
      const before = recorder.ticks.length
      clock.jump(5 * MINUTE_MS)
      clock.advance(SECOND_MS)
      const maxAge = new Map(feed.symbols.map((symbol) => [symbol.id, symbol.maxTickAgeMs]))
      const stale = recorder.ticks
        .slice(before)
        .filter((tick) => tick.time < clock.now() - SECOND_MS - (maxAge.get(tick.symbolId) ?? 0))
      expect(stale).toEqual([])
      await feed.stop()
    })

    test('two feeds at the same time send the same ticks', async () => {
      const first = await run(create, openAt, MINUTE_MS)
      const second = await run(create, openAt, MINUTE_MS)
      expect(second.recorder.ticks).toEqual(first.recorder.ticks)
    })
  })
}

function describePages(name: string, { create, openAt }: FeedUnderTest): void {
  describe(`${name}'s history`, () => {
    const feed = create(new FakeClock(openAt))
    const symbols = feed.symbols.map((symbol) => [symbol.code, symbol] as const)

    test.each(symbols)('%s: history is ascending, aligned, bounded, limited and valid', async (_, symbol) => {
      for (const interval of CHART_INTERVALS) {
        const before = later(openAt, -10 * DAY_MS - 12_345)
        const candles = await feed.history({ symbolId: symbol.id, interval, before, limit: 40 })
        expect(candles).toHaveLength(40)
        let last = -Infinity
        for (const candle of candles) {
          expect(candle.openTime).toBeGreaterThan(last)
          last = candle.openTime
          expect(candle.openTime % intervalMs(interval)).toBe(0)
          expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close))
          expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close))
        }
        expect(last).toBeLessThan(before)
      }
    })

    test.each(symbols)('%s: pages join without a gap or an overlap', async (_, symbol) => {
      for (const interval of ['1m', '1h', '1d'] as const) {
        const whole = await feed.history({ symbolId: symbol.id, interval, before: openAt, limit: 50 })
        const newer = await feed.history({ symbolId: symbol.id, interval, before: openAt, limit: 20 })
        const bound = newer[0]?.openTime ?? openAt
        const older = await feed.history({ symbolId: symbol.id, interval, before: bound, limit: 30 })
        expect([...older, ...newer]).toEqual(whole)
      }
    })

    test.each(symbols)('%s: a longer interval is the fold of the minutes', async (_, symbol) => {
      const minutes = await feed.history({ symbolId: symbol.id, interval: '1m', before: openAt, limit: 4_000 })
      for (const interval of CHART_INTERVALS.slice(1)) {
        // The first bar may have started before the first known minute.
        const folded = foldCandles(minutes, interval).slice(1)
        const candles = await feed.history({ symbolId: symbol.id, interval, before: openAt, limit: folded.length })
        expect(candles).toEqual(folded)
      }
    })
  })
}

/** Tests the limits of the history, and that it agrees with the live ticks. */
function describeBounds(name: string, { create, openAt }: FeedUnderTest): void {
  describe(`${name}'s history`, () => {
    const feed = create(new FakeClock(openAt))

    test('history contains nothing from the future', async () => {
      for (const { id } of feed.symbols) {
        for (const interval of CHART_INTERVALS) {
          const query = { symbolId: id, interval, limit: 3 }
          const upToNow = await feed.history({ ...query, before: openAt })
          expect(await feed.history({ ...query, before: later(openAt, 365 * DAY_MS) })).toEqual(upToNow)
        }
      }
    })

    test('history is empty for an unknown symbol, a limit of zero and a time before the beginning', async () => {
      const id = feed.symbols[0]?.id ?? 0
      expect(await feed.history({ symbolId: -1, interval: '1d', before: openAt, limit: 5 })).toEqual([])
      expect(await feed.history({ symbolId: id, interval: '1d', before: openAt, limit: 0 })).toEqual([])
      expect(await feed.history({ symbolId: id, interval: '1d', before: instant(1), limit: 5 })).toEqual([])
    })

    test('history matches the live ticks: a minute has the same open and close in both', async () => {
      const live = await run(create, openAt, 4 * MINUTE_MS + 500)
      for (const { id, code } of live.feed.symbols) {
        const liveCandles = foldTicks(live.recorder.ticksOf(id), '1m').filter(
          ({ openTime }) => openTime >= openAt && openTime + MINUTE_MS <= live.clock.now(),
        )
        const before = live.clock.now()
        const history = await live.feed.history({ symbolId: id, interval: '1m', before, limit: 6 })
        const times = new Set(liveCandles.map((candle) => candle.openTime))
        const matchingHistory = history.filter((candle) => times.has(candle.openTime))
        expect({ code, candles: matchingHistory.map(ends) }).toEqual({ code, candles: liveCandles.map(ends) })
      }
      await live.feed.stop()
    })
  })
}

function ends({ openTime, open, close }: Candle) {
  return { openTime, open, close }
}
