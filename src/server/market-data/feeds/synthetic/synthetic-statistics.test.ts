import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { instant } from '#core/time/instant.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

// Known properties of real returns: fat tails, and calm and nervous spells. Fixed seeds keep the figures constant.

const NOW = instant(Date.parse('2026-11-19T16:00:00Z'))
const BARS_A_YEAR = { crypto: 365.25, us_stocks: 252, us_fx: 312 }

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function kurtosis(returns: number[]): number {
  return mean(returns.map((value) => value ** 4)) / mean(returns.map((value) => value ** 2)) ** 2
}

function autocorrelation(values: number[], lag: number): number {
  const average = mean(values)
  const off = values.map((value) => value - average)
  return mean(off.slice(lag).map((value, at) => value * (off[at] ?? 0))) / mean(off.map((value) => value ** 2))
}

async function returnsOf(symbolId: number, interval: '1m' | '1d', limit: number, seed = 'statistics') {
  const feed = createSyntheticFeed({ clock: new FakeClock(NOW), seed })
  const candles = await feed.history({ symbolId, interval, before: NOW, limit })
  return candles.slice(1).map((candle, at) => Math.log(candle.close / (candles[at]?.close ?? candle.close)))
}

describe('the simulated prices', () => {
  test.each([
    ['BTC', 1],
    ['AAPL', 101],
    ['EURUSD', 201],
  ])('%s: minute returns have fat tails and cluster', async (_, id) => {
    const returns = await returnsOf(id, '1m', 30_000)
    expect(kurtosis(returns)).toBeGreaterThan(3.5)
    const sizes = returns.map(Math.abs)
    expect(autocorrelation(sizes, 1)).toBeGreaterThan(0.05)
    expect(autocorrelation(sizes, 30)).toBeGreaterThan(0.03)
    expect(Math.abs(autocorrelation(returns, 1))).toBeLessThan(0.1)
  })

  test.each(CATALOGUE.filter(({ id }) => [1, 14, 101, 109, 201].includes(id)))(
    '$code: move over two years about as much as the catalogue says',
    async ({ id, marketType, annualVolatility }) => {
      const returns = await returnsOf(id, '1d', 2 * BARS_A_YEAR[marketType])
      const realised = Math.sqrt(mean(returns.map((value) => value ** 2)) * BARS_A_YEAR[marketType])
      expect(realised / annualVolatility).toBeGreaterThan(0.5)
      expect(realised / annualVolatility).toBeLessThan(2)
    },
  )

  test('stay around the centre even after decades', async () => {
    for (let year = 2011; year < 2060; year += 1) {
      const now = instant(Date.UTC(year, 5, 15))
      const feed = createSyntheticFeed({ clock: new FakeClock(now), seed: 'statistics' })
      const candles = await feed.history({ symbolId: 201, interval: '1d', before: now, limit: 4 })
      expect(candles).toHaveLength(4)
      for (const { low, high } of candles) {
        expect(low).toBeGreaterThan(108_500 * 0.7)
        expect(high).toBeLessThan(108_500 * 1.4)
      }
    }
  })
})
