import { assert, expect, it } from 'vitest'
import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { firstCandles } from '#server/market-data/wire/first-candles.ts'
import type { CandleQuery, ShownCandle } from '#server/market-data/ticks.ts'

const START = Date.UTC(2026, 0)
const BARS = 4_000

/** Candles of every minute since `START`, of a source that does not return the bars in a hole. */
function minutes(isMissing: (minute: number) => boolean = () => false) {
  const all = Array.from({ length: BARS }, (_, minute): ShownCandle => {
    const one = price(1)
    const candle: Candle = {
      openTime: instant(START + minute * MINUTE_MS),
      open: one,
      high: one,
      low: one,
      close: one,
      volume: volume(0),
    }
    return { candle, source: null, isPartial: false }
  })
  return {
    async shownCandles({ before, limit }: CandleQuery, onPartial = () => {}): Promise<ShownCandle[]> {
      assert(before !== undefined)
      const found = all.filter(({ candle }) => candle.openTime < before).slice(-limit)
      const known = found.filter(({ candle }) => !isMissing((candle.openTime - START) / MINUTE_MS))
      if (known.length < found.length) onPartial()
      return known
    },
  }
}

const first = async (source: ReturnType<typeof minutes>, limit: number, from = START) => {
  const until = instant(START + BARS * MINUTE_MS)
  const query = { symbolId: 1, interval: '1m', from: instant(from), until, limit } as const
  return (await firstCandles(source, query))?.map(({ openTime }) => (openTime - START) / MINUTE_MS)
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

it('no candle after bars that a source did not return is part of the reply', async () => {
  expect(await first(minutes(), 3_000)).toEqual(numbers(3_000))
  expect(
    await first(
      minutes((minute) => minute === 2_500),
      3_000,
    ),
  ).toEqual(numbers(2_000))
})

it('nothing is returned when the first bars are not known', async () => {
  expect(
    await first(
      minutes((minute) => minute < 1_000),
      10,
    ),
  ).toBeUndefined()
  expect(
    await first(
      minutes((minute) => minute < 1_000),
      10,
      0,
    ),
  ).toBeUndefined()
})
