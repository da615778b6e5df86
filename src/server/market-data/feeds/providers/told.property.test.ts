import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { ToldSoFar } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import { FinnhubTold } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const RUNS = { numRuns: 1_000 }

const symbol = fc.constantFrom('A', 'B')
const time = fc.nat({ max: 3_000 }).map((ms) => instant(NOON + ms))

/** Violations of the rules that hold for any order of messages. */
function flaws(heard: ProviderRecorder): string[] {
  const found = heard.latecomers().map((quote) => `${quote.symbol} at ${quote.time} behind a sign of life`)
  for (const each of ['A', 'B']) {
    const times = (all: readonly { symbol: string; time: number }[]) =>
      all.filter((one) => one.symbol === each).map((one) => one.time)
    if (runsBack(times(heard.quotes))) found.push(`${each}: prices run back`)
    if (runsBack(times(heard.alives))) found.push(`${each}: signs of life run back`)
  }
  return found
}

function runsBack(times: readonly number[]): boolean {
  return times.some((at, n) => at < (times[n - 1] ?? at))
}

test('Coinbase: reports each price once and ascending, for any order of trades and heartbeats', () => {
  const trade = fc.record({ symbol, id: fc.nat({ max: 20 }), time })
  const heartbeat = fc.record({ symbol, time })
  const heardInOrder = fc.array(fc.oneof(trade, heartbeat), { maxLength: 40 })
  fc.assert(
    fc.property(heardInOrder, (messages) => {
      const heard = new ProviderRecorder()
      const told = new ToldSoFar(heard, { clock: new FakeClock(NOON) })
      for (const message of messages) {
        if ('id' in message) told.trade({ ...message, price: `${message.id + 1}`, volume: '1' })
        else told.heartbeat(message.symbol, message.time)
      }
      expect(flaws(heard)).toEqual([])
      const ids = heard.quotes.map(({ symbol: of, price }) => `${of} ${price}`)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    RUNS,
  )
})

test('Coinbase: reports each price once and ascending, for last prices without trades', () => {
  const heardInOrder = fc.array(fc.record({ symbol, price: fc.constantFrom('1', '2'), time, isBeat: fc.boolean() }))
  fc.assert(
    fc.property(heardInOrder, (messages) => {
      const heard = new ProviderRecorder()
      const told = new ToldSoFar(heard, { clock: new FakeClock(NOON) })
      for (const { symbol: of, price, time: at, isBeat } of messages) {
        if (isBeat) told.heartbeat(of, at)
        else told.lastPrice(of, price, at)
      }
      expect(flaws(heard)).toEqual([])
    }),
    RUNS,
  )
})

test('Finnhub: reports ascending prices, for any order of frames and new connections', () => {
  const trade = fc.record({ symbol, time, use: fc.constantFrom('price', 'extended', 'other', 'unknown') })
  const frame = fc.array(trade, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fc.option(frame), { maxLength: 15 }), (frames) => {
      const heard = new ProviderRecorder()
      const told = new FinnhubTold(heard, { clock: new FakeClock(NOON) })
      for (const trades of frames) {
        if (trades === null) told.connectionBegins()
        else
          told.trades(trades.map((each) => ({ ...each, price: '1', volume: '1' })).toSorted((a, b) => a.time - b.time))
      }
      expect(flaws(heard)).toEqual([])
    }),
    RUNS,
  )
})
