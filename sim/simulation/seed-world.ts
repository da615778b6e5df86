import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { termsWithCaps } from '#test/support/caps.ts'
import { fixedCatalogue } from '#test/support/market-fixtures.ts'
import { SYMBOLS, SETTINGS } from '../auditor/site-terms.ts'
import type { Plan } from './plan.ts'

/** The initial data: users, staff, gateways and methods. */
export interface SeededWorld {
  readonly userIds: readonly string[]
  readonly staffIds: readonly string[]
}

export const CATALOGUE = fixedCatalogue({ symbols: SYMBOLS, settings: SETTINGS })

/** Returns the catalogue of a run: with the rule, the caps and the classes of the sources of its plan. */
export function catalogueOf({ rule, sources, caps }: Plan, catalogue: MarketCatalogue): MarketCatalogue {
  const settings = catalogue.settings.map((setting) => ({ ...setting, rule }))
  const evidenceOf = (_symbolId: number, source: string) => sources.classes[source === 'first' ? 0 : 1]
  if (caps === null) return { ...catalogue, settings, evidenceOf }
  const ofSymbols = Object.fromEntries(SYMBOLS.map(({ code }) => [`symbol_${code}`, caps.symbol]))
  return { ...catalogue, settings, evidenceOf, terms: termsWithCaps({ ...ofSymbols, site_all: caps.site }) }
}

export const DEPOSIT_GATEWAY = 2
/** The database lets only this gateway credit deposits without an approval. */
export const AUTOMATIC_GATEWAY = 1
export const WITHDRAW_GATEWAY = 101

const GATEWAY = {
  currency: BASE_CURRENCY,
  min_amount: 100,
  max_amount: 5_000_000,
  percent_charge_basis_points: 0,
  fixed_charge: 0,
  is_automatic: false,
}
const GATEWAYS = [
  { ...GATEWAY, id: DEPOSIT_GATEWAY, kind: 'deposit', name: 'Bank', currency: 'EUR', rate_millionths: 1_083_700 },
  { ...GATEWAY, id: AUTOMATIC_GATEWAY, kind: 'deposit', name: 'Card', rate_millionths: 1_000_000, is_automatic: true },
  {
    ...GATEWAY,
    id: WITHDRAW_GATEWAY,
    kind: 'withdraw',
    name: 'Wallet',
    rate_millionths: 1_000_000,
    percent_charge_basis_points: 125,
    fixed_charge: 31,
  },
]

/** Inserts users without money, staff, gateways and methods directly into the store. */
export async function seedWorld(ctx: Pick<Ctx, 'db' | 'newId' | 'now'>, users: number): Promise<SeededWorld> {
  const { db } = ctx
  const created = { created_ms: ctx.now() }
  const userIds: string[] = []
  for (let at = 0; at < users; at += 1) {
    const id = ctx.newId()
    userIds.push(id)
    const nothing = { email: null, pin_hash: null, image_path: null, invitation_code: null, ...created }
    await db
      .insertInto('app_user')
      .values({ id, username: `user${at}`, mobile: '5551234', password_hash: 'none', verified: true, ...nothing })
      .execute()
    await db
      .insertInto('balance')
      .values({ user_id: id, currency: BASE_CURRENCY, cash: 0, staked: 0, withdrawing: 0, credits: 0 })
      .execute()
  }
  const staffIds: string[] = []
  for (const name of ['ann', 'ben', 'cem']) {
    const id = ctx.newId()
    staffIds.push(id)
    const unsigned = { password_hash: null, totp_secret: null, approver_ms: 0, ...created }
    await db
      .insertInto('staff')
      .values({ id, name, role: 'finance', ...unsigned })
      .execute()
  }
  for (const [sort, gateway] of GATEWAYS.entries()) {
    await db
      .insertInto('gateway')
      .values({ ...gateway, sort, description: '', form: '[]' })
      .execute()
  }
  return { userIds, staffIds }
}
