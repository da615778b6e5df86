import { type RawBuilder, sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Money } from '#core/money/money.ts'
import { readAmount } from '#core/money/typed-amount.ts'
import { readTrxStart } from '#core/orders/trx.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'

/** A parsed search in a list of payments. `nothing` means that no payment can match. */
export type PaymentSearch =
  | { readonly by: 'trx'; readonly start: string }
  | { readonly by: 'user'; readonly userId: string }
  | { readonly by: 'amount'; readonly amount: Money }
  | { readonly by: 'nothing' }

/**
 * Parses a search: an exact username, the start of a reference, or an amount. Names are tried first, because a name can
 * look like the start of a reference, or like an amount. `$` forces an amount.
 */
export async function readPaymentSearch(db: Db, text: string): Promise<PaymentSearch> {
  const userId = await findUserId(db, text)
  if (userId !== null) return { by: 'user', userId }
  const start = readTrxStart(text)
  if (start !== null) return { by: 'trx', start }
  const read = readAmount(text, BASE_CURRENCY, '.')
  return read.ok ? { by: 'amount', amount: read.amount } : { by: 'nothing' }
}

/** SQL condition for payments that match a search. `amount` names the column that must equal a searched amount. */
export function matchesSearch(alias: 'd' | 'w', search: PaymentSearch, amount: string): RawBuilder<boolean> {
  switch (search.by) {
    case 'trx':
      return sql`${sql.ref(`${alias}.trx`)} like ${`${search.start}%`}`
    case 'user':
      return sql`${sql.ref(`${alias}.user_id`)} = ${search.userId}`
    case 'amount':
      return sql`${sql.ref(`${alias}.${amount}`)} = ${search.amount}`
    case 'nothing':
      return sql`false`
  }
}
