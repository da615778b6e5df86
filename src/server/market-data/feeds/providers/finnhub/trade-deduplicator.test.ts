import { describe, expect, it, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import type { FinnhubTrade } from '#server/market-data/feeds/providers/finnhub/finnhub-messages.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

const NOON = Date.UTC(2026, 0, 5, 17)

/** Reads one frame per list of trades, each trade as its price, its time after noon and its use. */
function read(...frames: readonly (readonly [price: string, ms: number, use?: FinnhubTrade['use']][])[]) {
  const recorder = new ProviderRecorder()
  const deduplicator = new FinnhubTradeDeduplicator(recorder, { clock: systemClock })
  for (const frame of frames)
    deduplicator.trades(
      frame.map(([price, ms, use = 'price']) => ({
        symbol: 'AAPL',
        price,
        volume: '1',
        time: instant(NOON + ms),
        use,
      })),
    )
  return recorder
}

const prices = ({ quotes }: ProviderRecorder) => quotes.map(({ price }) => price)

describe('a Finnhub trade that arrives too late', () => {
  it.each([450, 100])('is a lost trade when it is as new as the last price, %i ms after noon', (ms) => {
    const recorder = read([['190', 100]], [['190.05', 500, 'other']], [['190.4', ms]])
    expect(prices(recorder)).toEqual(['190'])
    expect(recorder.unusedTrades.at(-1)).toEqual({ symbol: 'AAPL', reason: 'out_of_order' })
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', symbol: 'AAPL', from: NOON + 499 }])
  })

  test('counts as lost for a symbol that has had no price yet', () => {
    const recorder = read([['190.05', 500, 'other']], [['190.4', 450]])
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', symbol: 'AAPL', from: NOON + 499 }])
  })

  it.each<[string, number, FinnhubTrade['use']]>([
    ['makes no price by its condition', 450, 'other'],
    ['is older than the last price', 99, 'price'],
  ])('loses no price when it %s', (_, ms, use) => {
    const recorder = read([['190', 100]], [['190.05', 500, 'other']], [['190.4', ms, use]])
    expect(recorder.unusedTrades.at(-1)).toEqual({ symbol: 'AAPL', reason: 'out_of_order' })
    expect(recorder.troubles).toEqual([])
  })
})

describe('P3: a Finnhub trade with a condition code of no list', () => {
  test('makes no price, confirms nothing, and the next price reports a loss', () => {
    const recorder = read(
      [
        ['10', 0],
        ['11', 5, 'unknown'],
      ],
      [['12', 9]],
    )
    expect(prices(recorder)).toEqual(['10', '12'])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'AAPL', reason: 'unknown_condition' }])
    expect(recorder.alives).toEqual([])
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', symbol: 'AAPL', from: NOON + 4 }])
  })

  test('counts as lost when a newer trade came first', () => {
    const recorder = read([['10', 0]], [['9', 9, 'other']], [['11', 5, 'unknown']])
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', symbol: 'AAPL', from: NOON + 8 }])
  })
})
