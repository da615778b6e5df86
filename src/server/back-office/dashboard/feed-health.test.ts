import { expect, it } from 'vitest'
import { price, volume } from '#core/money/price.ts'
import { later, toIso } from '#core/time/instant.ts'
import { feedHealth } from '#server/back-office/dashboard/feed-health.ts'
import type { SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import { addIncidents } from '#server/market-data/feeds/multi-source/incidents.queries.ts'
import { fixedCatalogue } from '#test/support/market-fixtures.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

it('P6: reports the sources of each symbol, their closures, unused trades and problems', async () => {
  const ctx = createTestContext(database.db)
  const catalogue = fixedCatalogue()
  const [btc] = catalogue.symbols
  if (!btc) throw new Error('there is one')
  const now = ctx.now()
  const sources: SourceHealth[] = [
    {
      symbolId: btc.id,
      provider: 'binance',
      providerSymbol: 'BTCUSDT',
      state: 'late',
      isUsed: false,
      newestAt: later(now, -9_000),
      heardAt: later(now, -100),
      unused: { condition: 10, spike: 2 },
      restsUntil: later(now, 259_200_000),
    },
    {
      symbolId: btc.id,
      provider: 'coinbase',
      providerSymbol: 'BTC-USD',
      state: 'well',
      isUsed: true,
      newestAt: later(now, -300),
      heardAt: later(now, -260),
      unused: {},
    },
  ]
  const ticks = {
    latest: (id: number) =>
      id === btc.id
        ? {
            symbolId: id,
            price: price(1),
            volume: volume(0),
            time: later(now, -300),
            source: 'coinbase',
            seq: 1,
            receivedAt: now,
          }
        : null,
    doubt: (id: number) => (id === btc.id ? ('divergence' as const) : null),
    sources: () => ({
      sources,
      unplaced: [{ provider: 'coinbase', unused: { unreadable: 3 } }],
      keptOut: { ahead: 0, late: 4, of_a_later_version: 5 },
    }),
  }
  const ids = [ctx.newId(), ctx.newId()]
  const row = { symbolId: btc.id, detail: 'the other source is late' }
  await addIncidents(
    ctx.db,
    [
      { ...row, id: ids[0] ?? '', kind: 'late', source: 'binance', at: later(now, -9_000), lasts: true },
      {
        ...row,
        id: ids[1] ?? '',
        kind: 'switched',
        source: 'coinbase',
        at: later(now, -7_000),
        lasts: false,
        symbolId: null,
      },
    ],
    [{ incidentId: ids[0] ?? '', at: later(now, -1_000) }],
  )

  const health = await feedHealth({ catalogue, ticks }, ctx.db, now)
  expect(health.symbols.find(({ code }) => code === btc.code)).toMatchObject({
    state: 'fresh',
    source: 'coinbase',
    doubt: 'divergence',
    sources: [
      {
        provider: 'binance',
        symbol: 'BTCUSDT',
        state: 'late',
        is_used: false,
        age_ms: 9_000,
        latency_ms: 8_900,
        unused: [
          { reason: 'condition', count: 10 },
          { reason: 'spike', count: 2 },
        ],
        rests_until: toIso(later(now, 259_200_000)),
      },
      {
        provider: 'coinbase',
        symbol: 'BTC-USD',
        state: 'well',
        is_used: true,
        age_ms: 300,
        latency_ms: 40,
        unused: [],
        rests_until: null,
      },
    ],
  })
  expect(health.unplaced).toEqual([{ provider: 'coinbase', unused: [{ reason: 'unreadable', count: 3 }] }])
  expect(health.kept_out).toEqual([{ reason: 'late', count: 4 }])
  expect(health.incidents).toMatchObject([
    { kind: 'switched', symbol: null, source: 'coinbase', lasts: false, ended_at: null },
    { kind: 'late', symbol: btc.code, source: 'binance', lasts: true, ended_at: expect.any(String) },
  ])
})
