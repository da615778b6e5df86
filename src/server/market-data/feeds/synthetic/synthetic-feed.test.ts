import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { SourceTick } from '#core/markets/tick.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { describeFeedContract } from '#test/contracts/feed-contract.ts'

const OPEN_AT = instant(Date.parse('2026-11-19T16:00:00Z'))
const CLOSED_AT = instant(Date.parse('2026-11-22T12:00:00Z'))

const SOME = CATALOGUE.filter(({ code }) => ['BTC', 'TRX', 'SPY', 'EURUSD', 'USDJPY'].includes(code))

describeFeedContract('synthetic', {
  create: (clock) => createSyntheticFeed({ clock, seed: 'contract', symbols: SOME }),
  openAt: OPEN_AT,
  closedAt: CLOSED_AT,
})

async function ticksFrom(startAt: number, forMs: number, seed = 'one'): Promise<SourceTick[]> {
  const clock = new FakeClock(startAt)
  const feed = createSyntheticFeed({ clock, seed })
  const ticks: SourceTick[] = []
  await feed.start({ tick: (tick) => ticks.push(tick), heartbeat: () => undefined, doubt: () => undefined })
  clock.advance(forMs)
  await feed.stop()
  return ticks
}

describe('the simulated market', () => {
  test('depends on seed and time alone: a restart continues with the same ticks', async () => {
    const whole = await ticksFrom(OPEN_AT, 2 * MINUTE_MS)
    const restartAt = OPEN_AT + MINUTE_MS
    const restarted = await ticksFrom(restartAt, MINUTE_MS)
    const since = (ticks: SourceTick[]) => ticks.filter((tick) => tick.time > restartAt)
    expect(since(restarted)).toEqual(since(whole))
    expect(since(whole).length).toBeGreaterThan(1_000)
  })

  test('gives other prices for another seed', async () => {
    const first = await ticksFrom(OPEN_AT, 5 * SECOND_MS, 'one')
    const second = await ticksFrom(OPEN_AT, 5 * SECOND_MS, 'two')
    expect(second.map((tick) => tick.price)).not.toEqual(first.map((tick) => tick.price))
  })

  test('sends fewer than 35 ticks a second in all, and no symbol is silent for its maximum age', async () => {
    const ticks = await ticksFrom(OPEN_AT, 5 * MINUTE_MS)
    expect(ticks.length / 303).toBeLessThan(35)
    for (const { id, maxTickAgeMs } of CATALOGUE) {
      const times = ticks.filter((tick) => tick.symbolId === id).map((tick) => tick.time)
      const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time))
      expect(Math.max(...gaps)).toBeLessThan(maxTickAgeMs / 2)
    }
  })

  test('changes the price of every symbol at least every 15 ticks', async () => {
    const ticks = await ticksFrom(OPEN_AT, 10 * MINUTE_MS)
    for (const { id } of CATALOGUE) {
      let same = 0
      let maxSame = 0
      let last = 0
      for (const { price } of ticks.filter((tick) => tick.symbolId === id)) {
        same = price === last ? same + 1 : 1
        maxSame = Math.max(maxSame, same)
        last = price
      }
      expect(maxSame).toBeLessThan(15)
    }
  })

  test('keeps live ticks near the high and low of their minute, which are sampled every 7.5 s', async () => {
    const ticks = await ticksFrom(OPEN_AT, 20 * MINUTE_MS)
    const feed = createSyntheticFeed({ clock: new FakeClock(OPEN_AT + 20 * MINUTE_MS), seed: 'one' })
    const candles = await feed.history({ symbolId: 1, interval: '1m', before: later(OPEN_AT, DAY_MS), limit: 20 })
    for (const candle of candles) {
      const prices = ticks
        .filter(({ symbolId, time }) => symbolId === 1 && time >= candle.openTime && time < candle.openTime + MINUTE_MS)
        .map((tick) => tick.price)
      const range = candle.high - candle.low
      expect(Math.max(...prices)).toBeLessThan(candle.high + range)
      expect(Math.min(...prices)).toBeGreaterThan(candle.low - range)
    }
  })

  test('ends a session with its last tick before the close, and heartbeats pass the close', async () => {
    const close = Date.parse('2026-11-19T21:00:00Z')
    const clock = new FakeClock(close - MINUTE_MS)
    const feed = createSyntheticFeed({ clock, seed: 'one' })
    const times: number[] = []
    const beats: number[] = []
    await feed.start({
      tick: ({ symbolId, time }) => symbolId === 101 && times.push(time),
      heartbeat: (symbolId, time) => symbolId === 101 && beats.push(time),
      doubt: () => undefined,
    })
    clock.advance(2 * MINUTE_MS)
    await feed.stop()
    expect(Math.max(...times)).toBeLessThan(close)
    expect(Math.max(...times)).toBeGreaterThan(close - 3 * SECOND_MS)
    expect(Math.max(...beats)).toBeGreaterThan(close)
  })
})
