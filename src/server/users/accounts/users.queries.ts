import { sql, type Updateable } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import type { AppUserTable, Db, Tx } from '#server/platform/database/tables.ts'

/** Who is meant: by id, or by name in any case. */
export type UserKey = { readonly userId: string } | { readonly username: string }

/** An account with all that staff may change of it. */
export interface Account {
  readonly id: string
  readonly username: string
  /** Counts what staff changed. */
  readonly version: number
  readonly verified: boolean
  readonly mayTrade: boolean
  readonly tradeReason: string
  readonly maySignIn: boolean
  readonly signInReason: string
  /** Why the verification was taken back; empty unless it was. */
  readonly verificationReason: string
  readonly mayWithdraw: boolean
  readonly withdrawalsReason: string
  /** Null: what holds for everyone. */
  readonly maxStake: Money | null
  readonly maxOpenStake: Money | null
}

/** The account, its row locked. */
export async function lockAccount(tx: Tx, key: UserKey): Promise<Account | null> {
  const row = await tx
    .selectFrom('app_user')
    .select([
      'id',
      'username',
      'version',
      'verified',
      'trade_allowed',
      'trade_reason',
      'sign_in_blocked',
      'sign_in_reason',
      'verification_reason',
      'withdrawals_allowed',
      'withdrawals_reason',
      'max_stake',
      'max_open_stake',
    ])
    .where((by) =>
      'userId' in key ? by('id', '=', key.userId) : by(sql`lower(username)`, '=', key.username.toLowerCase()),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    username: row.username,
    version: row.version,
    verified: row.verified,
    mayTrade: row.trade_allowed,
    tradeReason: row.trade_reason,
    maySignIn: !row.sign_in_blocked,
    signInReason: row.sign_in_reason,
    verificationReason: row.verification_reason,
    mayWithdraw: row.withdrawals_allowed,
    withdrawalsReason: row.withdrawals_reason,
    maxStake: moneyOrNull(row.max_stake),
    maxOpenStake: moneyOrNull(row.max_open_stake),
  }
}

export async function updateAccount(tx: Tx, userId: string, set: Updateable<AppUserTable>): Promise<void> {
  await tx.updateTable('app_user').set(set).where('id', '=', userId).execute()
}

export function moneyOrNull(amount: bigint | null): Money | null {
  return amount === null ? null : money(amount)
}

/** Whose name this is, in any case; null when nobody's. */
export async function findUserId(db: Db, username: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}
