import { expect, test } from 'vitest'
import { latestTick } from '#web/live/live-store.ts'
import { ageLimitMs, createTickFeed, setAgeLimits } from '#web/live/tick-feed.ts'

const NOW = Date.UTC(2026, 0, 5)

/** Takes a price of this age, and returns whether the app shows it as not live. */
function isStale(code: string, ageMs: number): boolean | undefined {
  const feed = createTickFeed(
    () => NOW,
    (draw) => draw(),
  )
  const time = NOW - ageMs
  const isCrypto = !code.startsWith('OANDA:')
  feed.take([{ s: code, c: 1, P: 0, ...(isCrypto ? { E: time } : { t: time }) }])
  return latestTick(code.replace('OANDA:', '').replace('USDT', ''))?.stale
}

test('a price is live until the age that is announced for its symbol', () => {
  expect([isStale('BTCUSDT', 3_000), isStale('OANDA:EURUSD', 20_000)]).toEqual([false, true])
  setAgeLimits([
    { symbol: 'BTC', max_tick_age_ms: 2_000 },
    { symbol: 'EURUSD', max_tick_age_ms: 30_000 },
  ])
  expect([isStale('BTCUSDT', 2_500), isStale('OANDA:EURUSD', 18_000)]).toEqual([true, false])
  expect([ageLimitMs('BTC', 'crypto'), ageLimitMs('ETH', 'crypto')]).toEqual([2_000, 5_000])
})

test('a longer limit makes a price live again, and a shorter one ends it, without a new price', () => {
  const feed = createTickFeed(
    () => NOW,
    (draw) => draw(),
  )
  feed.take([{ s: 'ETHUSDT', c: 1, P: 0, E: NOW - 8_000 }])
  const seen = () => latestTick('ETH')?.stale
  expect(seen()).toBe(true)
  setAgeLimits([{ symbol: 'ETH', max_tick_age_ms: 10_000 }])
  feed.revive()
  expect(seen()).toBe(false)
})
