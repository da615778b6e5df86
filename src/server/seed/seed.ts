import { CATALOGUE } from '#core/markets/catalogue.ts'
import { toIso } from '#core/time/instant.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { seedContent } from '#server/site/content/seed-content.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { seedDepositGateways } from '#server/seed/deposit-gateways.ts'
import { DEMO_FUNDS_GATEWAY } from '#server/payments/gateways/automatic-gateways.ts'
import { seedDemoUser } from '#server/seed/demo-user.ts'
import { seedTerms } from '#server/seed/seed-terms.ts'
import { seedSplits } from '#server/seed/seed-splits.ts'
import { seedWithdrawMethods } from '#server/seed/withdrawal-methods.ts'
import type { SettingKey } from '#server/settings/site-settings.ts'
import { seedDemoStaff } from '#server/seed/demo-staff.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

export interface SeedOptions {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly mode: 'demo' | 'live'
  /** The price feed of this installation. */
  readonly feed: Pick<Feed, 'name' | 'symbols' | 'sources'>
}

/**
 * Creates the initial data of an installation.
 * It runs at every start and only adds what is missing, so it keeps the operator's changes. Only demo mode gets demo
 * funds and a demo user.
 */
export async function seed({ ctx, passwords, mode, feed }: SeedOptions): Promise<void> {
  const isFirstStart = await hasNoSettings(ctx.db)
  await seedSettings(ctx, mode)
  await seedSymbols(ctx.db, feed)
  await seedSplits(ctx.db)
  await seedTerms(ctx, mode, feed.symbols)
  // The operator may have removed quick amounts, even all of them.
  if (isFirstStart) await seedQuickAmounts(ctx)
  await seedContent(ctx)
  if (mode !== 'demo') return
  await seedDepositGateways(ctx.db)
  await seedWithdrawMethods(ctx.db)
  await seedDemoUser(ctx, passwords, DEMO_FUNDS_GATEWAY)
  await seedDemoStaff(ctx, passwords)
}

/**
 * Rough rates per US dollar of November 2024, so that a demo can display every currency. A live site sets its own
 * rates.
 */
const DEMO_DISPLAY_RATES = {
  CNY: 7.24,
  RUB: 101,
  JPY: 154.5,
  EUR: 0.95,
  THB: 34.6,
  VND: 25_400,
  IDR: 15_900,
  PHP: 59,
  INR: 84.5,
  ARS: 1_004,
  SAR: 3.75,
  TRY: 34.5,
  AED: 3.67,
  IQD: 1_310,
}

async function hasNoSettings(db: Db): Promise<boolean> {
  return (await db.selectFrom('setting').select('key').limit(1).executeTakeFirst()) === undefined
}

async function seedSettings(ctx: Ctx, mode: 'demo' | 'live'): Promise<void> {
  const now = ctx.now()
  const values: { readonly [K in SettingKey]?: unknown } = {
    site_name: 'Fairwick',
    default_language: 'en',
    invitation_required: false,
    deposits_open: true,
    withdrawals_open: true,
    withdraw_reason: '',
    operating_since: toIso(now).slice(0, 10),
    ...(mode === 'demo' && {
      display_rates: DEMO_DISPLAY_RATES,
      display_rates_as_of: '2024-11',
    }),
  }
  await ctx.db
    .insertInto('setting')
    .values(Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), updated_ms: now })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/**
 * Inserts the symbols of the feed and stores the source of each. The configuration alone decides the sources.
 * A symbol cannot change its decimals, because its stored prices would be misread.
 */
async function seedSymbols(db: Db, { name, symbols, sources }: SeedOptions['feed']): Promise<void> {
  const stored = await db.selectFrom('market_symbol').select(['id', 'code', 'decimals']).execute()
  for (const symbol of symbols) {
    const row = stored.find(({ id }) => id === symbol.id)
    if (row === undefined || (row.code === symbol.code && row.decimals === symbol.decimals)) continue
    throw new StartUpError(
      `This database was created with another price source: it stores ${row.code} with ${row.decimals} decimals, this source has ${symbol.code} with ${symbol.decimals}. Use another FAIRWICK_DATA_DIR or DATABASE_URL for it.`,
    )
  }
  const health = sources?.() ?? []
  const rows = symbols.map((symbol, place) => {
    const known = CATALOGUE.find(({ id }) => id === symbol.id)
    const first = health.find(({ symbolId }) => symbolId === symbol.id)
    return {
      id: symbol.id,
      code: symbol.code,
      name: symbol.name,
      market_type: symbol.marketType,
      decimals: symbol.decimals,
      is_featured: known?.isFeatured ?? false,
      color: known?.color ?? '',
      closed_reason: null,
      sort: place + 1,
      source: first?.provider ?? name,
      provider_symbol: first?.providerSymbol ?? symbol.code,
    }
  })
  await db
    .insertInto('market_symbol')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((given) => ({
        source: given.ref('excluded.source'),
        provider_symbol: given.ref('excluded.provider_symbol'),
      })),
    )
    .execute()
}

async function seedQuickAmounts(ctx: Ctx): Promise<void> {
  await ctx.db
    .insertInto('quick_amount')
    .values([20, 50, 100, 250, 500].map((units, place) => ({ id: place + 1, amount: BigInt(units) * 100n })))
    // Another server may start for the first time at the same moment.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
