import { afterEach, expect, it } from 'vitest'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import {
  createProviderPast,
  type ProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import type { CcxtExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { CcxtHistory } from '#server/market-data/feeds/providers/ccxt/ccxt-history.ts'
import { PartialBars } from '#server/market-data/feeds/providers/provider.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { ScriptedHistory } from '#test/support/scripted-history.ts'
import { createTestContext, TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let past: ProviderPast | null = null
afterEach(async () => {
  await past?.stop()
  past = null
})

const LISTED = later(TEST_START, -20 * DAY_MS)
/** The exchange has this many bars of each interval. */
const BARS_LEFT = 720

/** An exchange that has only its newest bars, and none before its listing or in its quiet hour. */
function historyOf({ kept, listed = LISTED, quiet }: { kept: number; listed?: Instant; quiet?: Instant }) {
  const fetchOHLCV = (_: string, timeframe: ChartInterval, since: number, limit: number) => {
    const length = intervalMs(timeframe)
    const rows: unknown[] = []
    const begin = Math.max(since, TEST_START - kept * length, Math.floor(listed / length) * length)
    for (let at = Math.ceil(begin / length) * length; at <= TEST_START && rows.length < limit; at += length) {
      const isQuiet = quiet !== undefined && at >= quiet && at + length <= quiet + HOUR_MS
      if (!isQuiet) rows.push([at, '100', '101', '99', '100', '5'])
    }
    return Promise.resolve(rows)
  }
  const timeframes = { '1m': 1, '5m': 1, '30m': 1, '1h': 1, '1d': 1 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the history uses no other part of an exchange
  const exchange = { timeframes, fetchOHLCV } as unknown as CcxtExchange
  const clock = new FakeClock(TEST_START)
  return new CcxtHistory(
    exchange,
    { clock },
    () => Promise.resolve(),
    (text) => text,
  )
}

const minutes = (history: CcxtHistory, from: Instant, before: Instant) =>
  history.candles({ symbol: 'BTC/USD', interval: '1m', from, before })

it('P1: bars that an exchange does not have any more are unknown, and not bars without a trade', async () => {
  const history = historyOf({ kept: BARS_LEFT })
  const edge = later(TEST_START, -BARS_LEFT * MINUTE_MS)
  const older = later(TEST_START, -5 * DAY_MS)
  await expect(minutes(history, older, later(older, HOUR_MS))).rejects.toMatchObject({ retry: true })
  const error = await minutes(history, later(edge, -HOUR_MS), later(edge, HOUR_MS)).catch((caught: unknown) => caught)
  if (!(error instanceof PartialBars)) throw new Error('the reply is whole')
  expect([error.bars[0]?.openTime, error.bars.length]).toEqual([edge, 60])
  expect([error.unread[0], error.unread.length]).toEqual([later(edge, -HOUR_MS), 60])
})

it('an exchange with all its bars has none before its listing, nor in a quiet hour', async () => {
  const quiet = later(TEST_START, -3 * HOUR_MS)
  const history = historyOf({ kept: Number.MAX_SAFE_INTEGER, quiet })
  expect(await minutes(history, quiet, later(quiet, HOUR_MS))).toEqual([])
  expect(await minutes(history, later(LISTED, -2 * HOUR_MS), later(LISTED, -HOUR_MS))).toEqual([])
  expect(await minutes(history, later(LISTED, -HOUR_MS), later(LISTED, HOUR_MS))).toHaveLength(60)
})

it('P1: the second source is asked for bars that the first does not have any more', async () => {
  const ctx = createTestContext(database.db)
  const second = new ScriptedHistory({ first: later(TEST_START, -3 * DAY_MS), now: () => ctx.now() })
  past = createProviderPast({
    ctx,
    symbols: [BTC],
    providers: new Map([
      ['one', { history: historyOf({ kept: BARS_LEFT }) }],
      ['two', { history: second }],
    ]),
    sourcesOf: ({ code }) => ({
      sources: ['one', 'two'].map((provider) => ({ provider, symbol: code, channel: 'trade' as const })),
    }),
  })
  past.start()
  const before = later(TEST_START, -DAY_MS)
  const bars = await past.history({ symbolId: BTC.id, interval: '1m', before, limit: 50 })
  expect(bars.map(({ source }) => source)).toEqual(Array.from({ length: 50 }, () => 'two'))
})
