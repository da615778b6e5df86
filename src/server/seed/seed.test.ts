import { beforeEach, expect, it } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { seed, type SeedOptions } from '#server/seed/seed.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(() => {
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

it('the seed gives a demo one user with funds in the ledger, even if it runs twice', async () => {
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
  // The payment details are saved without a security change, because such a change would pause withdrawals.
  expect(await ctx.db.selectFrom('user_withdrawal_method').select('gateway_id').execute()).toEqual([
    { gateway_id: 103 },
  ])
  const { security_changed_ms: changed } = await ctx.db
    .selectFrom('app_user')
    .select('security_changed_ms')
    .executeTakeFirstOrThrow()
  expect(changed).toBeNull()
})

it('quick amounts that the operator has removed stay removed, even all of them', async () => {
  await run()
  await ctx.db.deleteFrom('quick_amount').execute()
  await run()
  expect(await ctx.db.selectFrom('quick_amount').select('id').execute()).toEqual([])
})

it("the seed keeps the operator's changes", async () => {
  await run()
  await forceTerms(ctx.db, [
    { what: 'min_stake', of: '60', value: '7000' },
    { what: 'symbol', of: 'DOGE', value: 'closing' },
  ])
  await ctx.db.deleteFrom('quick_amount').where('amount', '=', 5_000n).execute()
  await ctx.db.updateTable('setting').set({ value: '"My site"' }).where('key', '=', 'site_name').execute()
  await run()
  const catalogue = await loadCatalogue(ctx)
  expect(catalogue.settings[0]).toMatchObject({ seconds: 60, minimum: 7_000n })
  expect(catalogue.find('DOGE')).toBeNull()
  const quick = await ctx.db.selectFrom('quick_amount').select('amount').orderBy('amount').execute()
  expect(quick.map(({ amount }) => amount)).toEqual([2_000n, 10_000n, 25_000n, 50_000n])
  const name = await ctx.db.selectFrom('setting').select('value').where('key', '=', 'site_name').execute()
  expect(name).toEqual([{ value: 'My site' }])
})

it('the seed stores at every start where the prices of a symbol come from', async () => {
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

it('the seed gives a live installation neither a demo user nor demo funds', async () => {
  await run({ mode: 'live' })
  expect(await ctx.db.selectFrom('app_user').select('id').execute()).toEqual([])
  expect(await ctx.db.selectFrom('gateway').select('id').execute()).toEqual([])
})

it('the seed refuses a price source with other decimals than the stored prices', async () => {
  await run()
  const symbols = CATALOGUE.map((symbol) => (symbol.code === 'BTC' ? { ...symbol, decimals: 5 } : symbol))
  await expect(run({ feed: { name: 'other', symbols } })).rejects.toThrow(StartUpError)
  await expect(run({ feed: { name: 'other', symbols } })).rejects.toThrow(/BTC with 2 decimals/)
})

it('if there are users, the seed announces a symbol that is new in the feed with a notice period', async () => {
  const identity = { log: 1, origin: 'localhost/register', mode: 'demo', keys: '', made_ms: 0 }
  await ctx.db.insertInto('log_identity').values(identity).execute()
  const [btc, eth] = CATALOGUE
  if (!btc || !eth) throw new Error('there are two')
  await run({ feed: { name: 'synthetic', symbols: [btc] } })
  await run({ feed: { name: 'synthetic', symbols: [btc, eth] } })
  await run({ feed: { name: 'synthetic', symbols: [btc, eth] } })
  const { terms } = await loadCatalogue(ctx)
  expect(terms.steps('symbol', 'BTC')).toMatchObject([{ appliesAt: ctx.now() }])
  expect(terms.steps('symbol', 'ETH')).toMatchObject([{ value: 'open', appliesAt: ctx.now() + 65_000 }])
  expect(terms.steps('max_tick_age', 'ETH')).toMatchObject([{ value: '5000', appliesAt: ctx.now() + 65_000 }])
})

it('the seed refuses a new symbol whose maximum price age is outside the limits', async () => {
  const [btc] = CATALOGUE
  if (!btc) throw new Error('there is one')
  const old = { ...btc, maxTickAgeMs: 30_000 }
  await expect(run({ mode: 'live', feed: { name: 'synthetic', symbols: [old] } })).rejects.toThrow(
    new StartUpError('The maximum price age of BTC must be between 1000 and 10000 ms.'),
  )
})
