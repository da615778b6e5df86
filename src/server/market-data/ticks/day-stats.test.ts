import { describe, expect, it } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { changePercent, DayWindow, type Newest } from '#server/market-data/ticks/day-stats.ts'
import { LoggedBar } from '#server/market-data/ticks/logged-bar.ts'

const NOW = instant(Date.UTC(2026, 2, 18, 15))
const UTC_MIDNIGHT = Date.UTC(2026, 2, 18)
const HKT_MIDNIGHT = Date.UTC(2026, 2, 17, 16)

function bar(openTime: number, open: number, close: number): Candle {
  return {
    openTime: instant(openTime),
    open: price(open),
    high: price(Math.max(open, close)),
    low: price(Math.min(open, close)),
    close: price(close),
    volume: volume(0),
  }
}

function newest(change: Partial<Newest> = {}): Newest {
  return { tick: null, openBar: null, canBeSuperseded: false, ...change }
}

function windowOf(...bars: Candle[]): DayWindow {
  const days = new DayWindow()
  days.load(bars)
  return days
}

function tick(time: number, units: number): Tick {
  const at = instant(time)
  return { symbolId: 1, seq: 7, price: price(units), volume: volume(5), time: at, receivedAt: at, source: 'test' }
}

function loggedBar(...ticks: Tick[]): LoggedBar {
  const [first] = ticks
  assert(first, 'a logged bar begins with a tick')
  const logged = new LoggedBar(first)
  for (const one of ticks) logged.add(one)
  return logged
}

describe('the newest price', () => {
  const OPENED = NOW - 5 * MINUTE_MS
  const filled = bar(OPENED, 100, 105)
  const last = (change: Partial<Newest>, ...bars: Candle[]) => {
    const { last: units, time, tick: own } = windowOf(...bars).quote(NOW, newest(change)) ?? {}
    return [units, time, own === undefined ? undefined : own !== null]
  }

  it('P12: is the tick when no bar opened after it', () => {
    expect(last({ tick: tick(OPENED + 1, 103) }, bar(OPENED - 5 * MINUTE_MS, 99, 100))).toEqual([103, OPENED + 1, true])
    expect(last({ tick: tick(OPENED + 1, 103) })).toEqual([103, OPENED + 1, true])
  })

  it('P12: is the close of a bar that opened after the tick, with the time the bar opened', () => {
    expect(last({ tick: tick(OPENED - 1, 103) }, filled)).toEqual([105, OPENED, false])
    expect(last({}, filled)).toEqual([105, OPENED, false])
  })

  it("P12: is the close of the tick's bar only when prices after the tick may be missing", () => {
    const own = tick(OPENED + 9, 103)
    expect(last({ tick: own }, filled)).toEqual([103, OPENED + 9, true])
    expect(last({ tick: own, canBeSuperseded: true }, filled)).toEqual([105, OPENED + 9, false])
    expect(last({ tick: tick(OPENED + 9, 105), canBeSuperseded: true }, filled)).toEqual([105, OPENED + 9, true])
  })

  it('P12: is unknown without tick and bar', () => {
    expect(last({})).toEqual([undefined, undefined, undefined])
  })
})

describe('the 24-hour window', () => {
  const BEGIN = NOW - 24 * HOUR_MS
  const now = later(NOW, 2 * MINUTE_MS)
  const ticks = [tick(BEGIN + 1, 90), tick(BEGIN + 2 * MINUTE_MS, 80), tick(BEGIN + 2 * MINUTE_MS + 1, 100)]
  const whole = { ...bar(BEGIN, 90, 100), low: price(80), volume: volume(15) }
  const earlier = bar(BEGIN - 5 * MINUTE_MS, 70, 71)

  it('P15: begins at the tick when the log has all ticks of its first bar', () => {
    const days = windowOf(earlier, whole)
    days.cutWith(loggedBar(...ticks), now)
    expect(days.stats(now, newest())).toMatchObject({ open: 80, high: 100, low: 80, volume: 5, last: 100 })
    expect(days.stats(later(now, -1), newest())).toMatchObject({ open: 90, high: 100, low: 80, volume: 10 })
    expect(days.stats(later(now, 1), newest())).toMatchObject({ open: 100, high: 100, low: 100, volume: 0 })
    expect(days.quote(NOW, newest())?.open).toBe(71)
  })

  it('P15: counts the whole first bar when some of its ticks are missing, and takes the last known tick', () => {
    const days = windowOf(earlier, { ...whole, high: price(130), volume: volume(99) })
    days.cutWith(loggedBar(...ticks), now)
    expect(days.stats(now, newest())).toMatchObject({ open: 80, high: 130, low: 80, volume: 99 })
  })

  it('P15: takes the last close before the first bar when only the bar is known', () => {
    expect(windowOf(earlier, whole).stats(now, newest())).toMatchObject({ open: 71, high: 100, low: 71, volume: 15 })
  })

  it('keeps a bar that closed while older bars were read', () => {
    const days = windowOf()
    days.add(bar(NOW - 5 * MINUTE_MS, 1, 2))
    days.load([bar(NOW - 10 * MINUTE_MS, 3, 4)])
    expect(days.quote(NOW, newest())).toMatchObject({ last: 2, open: 3 })
  })
})

describe('the change over the day', () => {
  it.each([
    [100_000, 100_001, 0.001],
    [200_000, 200_001, 0],
    [200_000, 200_003, 0.002],
    [200_000, 199_999, 0],
    [3, 1, -66.667],
    [1, 1, 0],
  ])('P12: rounds the change from %i to %i to %f percent', (open, last, percent) => {
    expect(changePercent({ open: price(open), last: price(last) }) + 0).toBe(percent)
  })
})

describe('the price at midnight', () => {
  it('equals the last close before midnight', () => {
    const days = windowOf(
      bar(HKT_MIDNIGHT - 5 * MINUTE_MS, 100, 101),
      bar(HKT_MIDNIGHT, 102, 103),
      bar(UTC_MIDNIGHT - 5 * MINUTE_MS, 104, 105),
      bar(UTC_MIDNIGHT, 106, 107),
    )
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 101, utc: 105 })
  })

  it('equals the last known price when the market was closed at midnight', () => {
    const days = windowOf(bar(HKT_MIDNIGHT - HOUR_MS, 100, 101), bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 101, utc: 101 })
  })

  it('equals the first known price when there was none before', () => {
    const days = windowOf(bar(NOW - HOUR_MS, 110, 111))
    expect(days.stats(NOW, newest())?.openOf).toEqual({ hkt: 110, utc: 110 })
    const open = new DayWindow().stats(NOW, newest({ openBar: bar(NOW, 120, 121) }))
    expect(open?.openOf).toEqual({ hkt: 120, utc: 120 })
  })
})

describe('a split within the day', () => {
  const OPENS = Date.UTC(2022, 7, 25, 13, 30)
  const AT = instant(OPENS + 2 * MINUTE_MS)
  const TSLA = [{ newShares: 3, oldShares: 1, effectiveAt: instant(OPENS) }]
  const traded = (openTime: number, open: number, close: number, volumeUnits: number): Candle => ({
    ...bar(openTime, open, close),
    volume: volume(volumeUnits),
  })
  const yesterday = [
    traded(OPENS - 24 * HOUR_MS - 5 * MINUTE_MS, 89_300, 89_355, 10),
    traded(OPENS - 24 * HOUR_MS + 5 * MINUTE_MS, 90_000, 91_500, 20),
    traded(OPENS - 18 * HOUR_MS, 88_000, 89_129, 30),
  ]

  it('P7: shows every figure of the day on the basis of the newest price', () => {
    const days = new DayWindow(() => TSLA)
    days.load(yesterday)
    const stats = days.stats(AT, newest({ openBar: traded(OPENS, 30_236, 30_000, 40) }))
    // 89 355 / 3, 91 500 / 3, 88 000 / 3; 20 and 30 shares became 60 and 90.
    expect(stats).toMatchObject({ open: 29_785, high: 30_500, low: 29_333, last: 30_000, volume: 190 })
    expect(stats?.openOf).toEqual({ hkt: 30_500, utc: 29_710 })
    expect(new Set(stats?.spark)).toEqual(new Set([null, 30_500, 29_710, 30_000]))
    expect(days.quote(AT, newest({ openBar: traded(OPENS, 30_236, 30_000, 40) }))?.open).toBe(29_785)
  })

  it('P7: keeps the old basis until the first price of the new one', () => {
    const days = new DayWindow(() => TSLA)
    days.load(yesterday)
    expect(days.stats(AT, newest())).toMatchObject({
      open: 89_355,
      high: 91_500,
      low: 88_000,
      last: 89_129,
      volume: 50,
    })
    expect(days.quote(AT, newest())?.open).toBe(89_355)
    expect(days.quote(AT, newest({ openBar: traded(OPENS, 30_236, 30_000, 40) }))?.open).toBe(29_785)
  })

  it('P7: leaves the figures unchanged when the split is more than a day ago', () => {
    const old = [{ newShares: 5, oldShares: 1, effectiveAt: instant(Date.UTC(2020, 7, 31, 13, 30)) }]
    const days = new DayWindow(() => old)
    days.load(yesterday)
    expect(days.stats(AT, newest())).toMatchObject({ open: 89_355, last: 89_129 })
  })
})
