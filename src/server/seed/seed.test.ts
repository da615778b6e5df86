import { beforeEach, expect, it } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { seed, type SeedOptions } from '#server/seed/seed.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

const run = (change: Partial<SeedOptions> = {}) =>
  seed({
    ctx,
    passwords: createPasswords((count) => ctx.randomBytes(count)),
    mode: 'demo',
    feed: { name: 'synthetic', symbols: CATALOGUE },
    ...change,
  })

it('gives a demo a user with funds in the ledger, once', async () => {
  await run()
  await run()
  const users = await ctx.db.selectFrom('app_user').select(['username', 'verified', 'pin_hash']).execute()
  expect(users).toEqual([{ username: 'demo', verified: true, pin_hash: expect.stringContaining('$argon2id$') }])
  const balances = await ctx.db.selectFrom('balance').select(['cash', 'staked']).execute()
  expect(balances).toEqual([{ cash: 1_000_000n, staked: 0n }])
  expect(await ctx.db.selectFrom('deposit').select(['status', 'credited']).execute()).toEqual([
    { status: 1, credited: 1_000_000n },
  ])
  expect((await checkLedger(ctx.db)).mismatches).toEqual([])
})

it("keeps the operator's changes", async () => {
  await run()
  await ctx.db.updateTable('trade_setting').set({ min_amount: 7_000 }).where('id', '=', 1).execute()
  await ctx.db.deleteFrom('quick_amount').where('amount', '=', 5_000n).execute()
  await ctx.db.updateTable('setting').set({ value: '"My site"' }).where('key', '=', 'site_name').execute()
  await ctx.db.updateTable('market_symbol').set({ is_listed: false }).where('code', '=', 'DOGE').execute()
  await run()
  const setting = await ctx.db.selectFrom('trade_setting').select('min_amount').where('id', '=', 1).execute()
  expect(setting).toEqual([{ min_amount: 7_000n }])
  const quick = await ctx.db.selectFrom('quick_amount').select('amount').orderBy('amount').execute()
  expect(quick.map(({ amount }) => amount)).toEqual([2_000n, 10_000n, 25_000n, 50_000n])
  const name = await ctx.db.selectFrom('setting').select('value').where('key', '=', 'site_name').execute()
  expect(name).toEqual([{ value: 'My site' }])
  const doge = await ctx.db.selectFrom('market_symbol').select('is_listed').where('code', '=', 'DOGE').execute()
  expect(doge).toEqual([{ is_listed: false }])
})

it('stores at every start where the prices of a symbol come from', async () => {
  const [btc, eth] = CATALOGUE
  if (!btc || !eth) throw new Error('there are two')
  const symbols = [btc, eth]
  const origins = () =>
    ctx.db.selectFrom('market_symbol').select(['code', 'source', 'provider_symbol']).orderBy('id').execute()
  await run({ feed: { name: 'synthetic', symbols } })
  expect(await origins()).toEqual([
    { code: 'BTC', source: 'synthetic', provider_symbol: 'BTC' },
    { code: 'ETH', source: 'synthetic', provider_symbol: 'ETH' },
  ])
  const quiet = { symbolId: 1, state: 'silent', isUsed: true, newestAt: null, heardAt: null, unused: {} } as const
  const sources = () => [
    { ...quiet, provider: 'binance', providerSymbol: 'BTCUSDT' },
    { ...quiet, provider: 'coinbase', providerSymbol: 'BTC-USD', isUsed: false },
  ]
  await run({ feed: { name: 'market', symbols: [btc], sources } })
  expect(await origins()).toEqual([
    { code: 'BTC', source: 'binance', provider_symbol: 'BTCUSDT' },
    { code: 'ETH', source: 'synthetic', provider_symbol: 'ETH' },
  ])
})

it('gives a live installation neither a demo user nor demo funds', async () => {
  await run({ mode: 'live' })
  expect(await ctx.db.selectFrom('app_user').select('id').execute()).toEqual([])
  expect(await ctx.db.selectFrom('gateway').select('id').execute()).toEqual([])
})

it('refuses a price source with other decimals than the stored prices', async () => {
  await run()
  const symbols = CATALOGUE.map((symbol) => (symbol.code === 'BTC' ? { ...symbol, decimals: 5 } : symbol))
  await expect(run({ feed: { name: 'other', symbols } })).rejects.toThrow(StartUpError)
  await expect(run({ feed: { name: 'other', symbols } })).rejects.toThrow(/BTC with 2 decimals/)
})
