import { expect, it } from 'vitest'
import { createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/config/config.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

const LIVE = {
  FAIRWICK_MODE: 'live',
  FAIRWICK_DATA_KEY: 'A'.repeat(43),
  DATABASE_URL: 'postgres://localhost/fairwick',
  PUBLIC_URL: 'https://trade.example.com',
  SMTP_URL: 'smtp://localhost',
}

function start(environment: Record<string, string>) {
  const ctx = createTestContext(database.db)
  return createApp(readConfig(environment), ctx.log, { ctx })
}

it('lists all settings, keys and sources that live mode lacks in one reply', async () => {
  const words = await start({ ...LIVE, FAIRWICK_FEEDS: 'exchanges' }).then(
    () => '',
    (error: Error) => error.message,
  )
  for (const part of ['licence_holder', 'licence_number', 'licence_regulator', 'countries_allowed', 'FINNHUB_KEY'])
    expect(words).toContain(part)
  expect(words.split('\n  - ')).toHaveLength(6)
  expect(await database.db.selectFrom('market_symbol').select('code').execute()).toEqual([])
})

it('lists the problems of the file', async () => {
  const feeds = { providers: { a: { kind: 'binance' } }, symbols: [{ code: 'BTC', sources: [{ provider: 'b' }] }] }
  await expect(start({ FAIRWICK_FEEDS: JSON.stringify(feeds) })).rejects.toThrow(/\n {2}- symbols\[0\] \(BTC\)/)
})

it('names the source of each symbol, and the simulated market where a key is missing', async () => {
  const app = await start({ FAIRWICK_FEEDS: 'exchanges' })
  try {
    const rows = await database.db
      .selectFrom('market_symbol')
      .select(['code', 'source', 'provider_symbol'])
      .where('code', 'in', ['BTC', 'AAPL'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { code: 'BTC', source: 'binance', provider_symbol: 'BTCUSDT' },
      { code: 'AAPL', source: 'synthetic', provider_symbol: 'AAPL' },
    ])
  } finally {
    await app.stop()
  }
})
