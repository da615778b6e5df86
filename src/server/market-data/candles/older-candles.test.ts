import { expect, it } from 'vitest'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { OlderCandles } from '#server/market-data/candles/older-candles.ts'
import { type Feed, PartialHistory } from '#server/market-data/feeds/base/feed.ts'
import { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { createTestContext, TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const ago = (minutes: number) => later(TEST_START, -minutes * MINUTE_MS)

it.each([
  ['after the hole', ago(60), ago(30), false],
  ['that begins in the hole', ago(61), ago(30), true],
  ['before the hole', ago(200), ago(90), false],
])('F1: an unknown time %s means missing candles only if the log has no prices of then', async (_, from, until, is) => {
  const ctx = createTestContext(database.db, TEST_START)
  const coverage = new LogCoverage(() => undefined)
  coverage.know(BTC, [{ symbolId: BTC.id, from: ago(90), until: ago(60) }], ago(0))
  const feed: Feed = {
    name: 'scripted',
    symbols: [BTC],
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    history: () => Promise.reject(new PartialHistory([], [{ from, until }])),
  }
  let isPartial = false
  const older = new OlderCandles({ ctx, feed, coverage })
  const query = { symbolId: BTC.id, interval: '1m', before: instant(TEST_START), limit: 100 } as const
  await older.load(query, () => {
    isPartial = true
  })
  expect(isPartial).toBe(is)
})
