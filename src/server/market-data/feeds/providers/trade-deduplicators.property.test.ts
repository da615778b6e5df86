import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const RUNS = { numRuns: 1_000 }

const symbol = fc.constantFrom('A', 'B')
const time = fc.nat({ max: 3_000 }).map((ms) => instant(NOON + ms))

/** Violations of the rules that apply to any order of messages. */
function flaws(recorder: ProviderRecorder): string[] {
  const found = recorder.latecomers().map((quote) => `${quote.symbol} at ${quote.time} behind a heartbeat`)
  for (const each of ['A', 'B']) {
    const times = (all: readonly { symbol: string; time: number }[]) =>
      all.filter((one) => one.symbol === each).map((one) => one.time)
    if (runsBack(times(recorder.quotes))) found.push(`${each}: prices run back`)
    if (runsBack(times(recorder.alives))) found.push(`${each}: heartbeats run back`)
  }
  return found
}

function runsBack(times: readonly number[]): boolean {
  return times.some((at, n) => at < (times[n - 1] ?? at))
}

test('Coinbase: reports each price once and ascending, for any order of trades and heartbeats', () => {
  const trade = fc.record({ symbol, id: fc.nat({ max: 20 }), time })
  const heartbeat = fc.record({ symbol, time })
  const messageLists = fc.array(fc.oneof(trade, heartbeat), { maxLength: 40 })
  fc.assert(
    fc.property(messageLists, (messages) => {
      const recorder = new ProviderRecorder()
      const deduplicator = new CoinbaseTradeDeduplicator(recorder, { clock: new FakeClock(NOON) })
      for (const message of messages) {
        if ('id' in message) deduplicator.trade({ ...message, price: `${message.id + 1}`, volume: '1' })
        else deduplicator.heartbeat(message.symbol, message.time)
      }
      expect(flaws(recorder)).toEqual([])
      const ids = recorder.quotes.map(({ symbol: of, price }) => `${of} ${price}`)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    RUNS,
  )
})

test('Coinbase: reports each price once and ascending, for last prices without trades', () => {
  const messageLists = fc.array(fc.record({ symbol, price: fc.constantFrom('1', '2'), time, isBeat: fc.boolean() }))
  fc.assert(
    fc.property(messageLists, (messages) => {
      const recorder = new ProviderRecorder()
      const deduplicator = new CoinbaseTradeDeduplicator(recorder, { clock: new FakeClock(NOON) })
      for (const { symbol: of, price, time: at, isBeat } of messages) {
        if (isBeat) deduplicator.heartbeat(of, at)
        else deduplicator.lastPrice(of, price, at)
      }
      expect(flaws(recorder)).toEqual([])
    }),
    RUNS,
  )
})

test('Finnhub: reports ascending prices, for any order of frames and new connections', () => {
  const trade = fc.record({ symbol, time, use: fc.constantFrom('price', 'extended', 'other', 'unknown') })
  const frame = fc.array(trade, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fc.option(frame), { maxLength: 15 }), (frames) => {
      const recorder = new ProviderRecorder()
      const deduplicator = new FinnhubTradeDeduplicator(recorder, { clock: new FakeClock(NOON) })
      for (const trades of frames) {
        if (trades === null) deduplicator.connectionBegins()
        else
          deduplicator.trades(
            trades.map((each) => ({ ...each, price: '1', volume: '1' })).toSorted((a, b) => a.time - b.time),
          )
      }
      expect(flaws(recorder)).toEqual([])
    }),
    RUNS,
  )
})
