import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import type { Db } from '#server/db/tables.ts'

/** An account with its money, as its owner may see it. */
export interface Profile {
  readonly userId: string
  readonly username: string
  readonly email: string | null
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly firstName: string
  readonly lastName: string
  readonly address: unknown
  readonly imagePath: string | null
  readonly hasPin: boolean
  readonly verified: boolean
  readonly mayTrade: boolean
  readonly tradeReason: string
  readonly cash: Money
  readonly staked: Money
  readonly withdrawing: Money
  readonly credits: Money
  readonly openOrders: number
}

export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const row = await db
    .selectFrom('app_user as u')
    .innerJoin('balance as b', (join) => join.onRef('b.user_id', '=', 'u.id').on('b.currency', '=', BASE_CURRENCY))
    .where('u.id', '=', userId)
    .select([
      'u.username',
      'u.email',
      'u.mobile',
      'u.mobile_code',
      'u.country_code',
      'u.firstname',
      'u.lastname',
      'u.address',
      'u.image_path',
      'u.pin_hash',
      'u.verified',
      'u.trade_allowed',
      'u.trade_reason',
      'b.cash',
      'b.staked',
      'b.withdrawing',
      'b.credits',
    ])
    .select((from) =>
      from
        .selectFrom('open_order as o')
        .whereRef('o.user_id', '=', 'u.id')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .as('open_orders'),
    )
    .executeTakeFirst()
  if (!row) return null
  return {
    userId,
    username: row.username,
    email: row.email,
    mobile: row.mobile,
    mobileCode: row.mobile_code,
    countryCode: row.country_code,
    firstName: row.firstname,
    lastName: row.lastname,
    address: row.address,
    imagePath: row.image_path,
    hasPin: row.pin_hash !== null,
    verified: row.verified,
    mayTrade: row.trade_allowed,
    tradeReason: row.trade_reason,
    cash: money(row.cash),
    staked: money(row.staked),
    withdrawing: money(row.withdrawing),
    credits: money(row.credits),
    openOrders: Number(row.open_orders ?? 0n),
  }
}
