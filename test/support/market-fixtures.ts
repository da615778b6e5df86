import { BASE_CURRENCY, transfer } from '#core/ledger/transfer.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { type Money, basisPoints, money } from '#core/money/money.ts'
import { arrivedOf } from '#core/wallet/arrival-credit.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { ListedSymbol, MarketCatalogue, TradeSetting } from '#server/market-data/catalogue/market-catalogue.ts'

export const BTC: ListedSymbol = {
  id: 1,
  code: 'BTC',
  productId: 'BTCUSDT',
  name: 'Bitcoin',
  marketType: 'crypto',
  decimals: 2,
  maxTickAgeMs: 5_000,
  isFeatured: true,
  color: '',
  image: '',
  closedReason: null,
  splits: [],
}
export const AAPL: ListedSymbol = {
  ...BTC,
  id: 2,
  code: 'AAPL',
  productId: 'AAPL',
  name: 'Apple',
  marketType: 'us_stocks',
  maxTickAgeMs: 15_000,
}
export const ONE_MINUTE: TradeSetting = {
  id: 1,
  seconds: 60,
  unit: 'minute',
  minimum: money(1_000n),
  maximum: money(500_000n),
  payout: basisPoints(8_000),
  termsN: 1,
  rule: 1,
  changes: [],
}
export const ONE_DAY: TradeSetting = { ...ONE_MINUTE, id: 5, seconds: 86_400, unit: 'day' }

/** Builds a catalogue of two symbols and two durations, for tests that send their own prices. */
export function fixedCatalogue(change: Partial<MarketCatalogue> = {}): MarketCatalogue {
  const symbols = change.symbols ?? [BTC, AAPL]
  const find = (text: string) =>
    symbols.find((symbol) => [symbol.code, symbol.productId].includes(text.toUpperCase())) ?? null
  return {
    symbols,
    settings: [ONE_MINUTE, ONE_DAY],
    terms: new TermsHistory([]),
    quickAmounts: [],
    closures: new Map(),
    known: symbols,
    planned: [],
    maintenance: [],
    tickAgeAt: (id) => symbols.find((symbol) => symbol.id === id)?.maxTickAgeMs ?? null,
    find,
    findKnown: find,
    byId: (id) => symbols.find((symbol) => symbol.id === id) ?? null,
    evidenceOf: () => 'none',
    pauseOf: () => null,
    termsHash: () => null,
    areTermsLogged: () => true,
    refreshLogged: () => Promise.resolve(),
    reload: () => Promise.resolve(),
    ...change,
  }
}

/** Creates a verified user with this much cash, deposited through the ledger. Returns the user's id. */
export async function createFundedUser(ctx: Ctx, cash: Money, change: { verified?: boolean } = {}): Promise<string> {
  const id = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app_user')
      .values({
        id,
        username: `user_${id.slice(-12)}`,
        email: null,
        mobile: '5551234',
        password_hash: 'none',
        pin_hash: null,
        image_path: null,
        invitation_code: null,
        verified: change.verified ?? true,
        created_ms: ctx.now(),
      })
      .execute()
    await tx
      .insertInto('balance')
      .values({ user_id: id, currency: BASE_CURRENCY, cash: 0, staked: 0, withdrawing: 0, credits: 0 })
      .execute()
    if (cash > 0n) await insertDeposit(tx, { userId: id, id: ctx.newId(), amount: cash, at: ctx.now() })
  })
  return id
}

/** Inserts a credited deposit with its arrival and its transfer. The arrival has the id of the deposit. */
export async function insertDeposit(
  tx: Tx,
  {
    userId,
    id,
    amount,
    at,
  }: { readonly userId: string; readonly id: string; readonly amount: Money; readonly at: Instant },
): Promise<void> {
  const bank = {
    id: 1,
    kind: 'deposit' as const,
    name: 'Bank',
    currency: BASE_CURRENCY,
    rate_millionths: 1_000_000,
    percent_charge_basis_points: 0,
    is_automatic: true,
  }
  await tx
    .insertInto('gateway')
    .values({ ...bank, min_amount: 1n, max_amount: 1_000_000_000n, form: '[]', sort: 0, fixed_charge: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const free = { percent_charge: 0n, fixed_charge: 0n, rate_millionths: 1_000_000n, gateway_id: bank.id }
  const sums = { currency: BASE_CURRENCY, amount, total: amount, credited: amount }
  const done = {
    trx: `FW-${id}`,
    status: 1,
    state: 'credited',
    percent_basis_points: 0,
    created_ms: at,
    decided_ms: at,
  }
  await tx
    .insertInto('deposit')
    .values({ ...free, ...sums, ...done, user_id: userId, id })
    .execute()
  const times = { seen_ms: at, confirmed_ms: at, created_ms: at, credited_ms: at }
  const worth = { amount: String(arrivedOf(amount)), rate_millionths: 1_000_000n, credited: amount, charge: 0n }
  const of = { user_id: userId, deposit_id: id, gateway_id: bank.id, currency: BASE_CURRENCY }
  const sourced = { source: 'demo', external_id: id, reference: `FW-${id}`, state: 'credited' }
  await tx
    .insertInto('arrival')
    .values({ ...times, ...worth, ...of, ...sourced, id })
    .execute()
  await postTransfers(tx, [transfer('deposit', { userId, ref: id, amount })], at)
}
