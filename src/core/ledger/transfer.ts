import { isPracticeId, PRACTICE_CURRENCY } from '#core/accounts/practice.ts'
import type { Account, UserAccount } from '#core/ledger/account.ts'
import { isUserAccount } from '#core/ledger/account.ts'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'
import { type Money, money } from '#core/money/money.ts'

/** The currency of all balances of money. */
export const BASE_CURRENCY = 'USDT'

/** The currency of the one balance of an account: that of money, or that of practice. */
export function currencyOf(userId: string): string {
  return isPracticeId(userId) ? PRACTICE_CURRENCY : BASE_CURRENCY
}

/**
 * Moves an amount from one account to another, so debits equal credits by construction. (`userId`, `ref`, `step`) is
 * unique: the same step of the same reference cannot be posted twice.
 */
export interface Transfer {
  readonly userId: string
  /** The id of the order, deposit or other record that the transfer belongs to. */
  readonly ref: string
  /** The step within that record: `stake`, `close`, `profit`, `deposit`, … */
  readonly step: string
  readonly kind: TransferKind
  readonly from: Account
  readonly to: Account
  readonly currency: string
  /** The amount in minor units (cents), always positive. */
  readonly amount: Money
}

/** Builds a transfer of a kind. `step` replaces the kind's own step where a record has several of them. */
export function transfer(
  kind: TransferKind,
  { userId, ref, amount, step }: Pick<Transfer, 'userId' | 'ref' | 'amount'> & { readonly step?: string },
): Transfer {
  const movement = TRANSFER_KINDS[kind]
  return { userId, ref, kind, ...movement, step: step ?? movement.step, currency: currencyOf(userId), amount }
}

/** Sums up how these transfers change each account of a user. */
export function netChanges(transfers: readonly Pick<Transfer, 'from' | 'to' | 'amount'>[]): Record<UserAccount, Money> {
  const net: Record<UserAccount, Money> = { cash: money(0), staked: money(0), withdrawing: money(0), credits: money(0) }
  for (const { from, to, amount } of transfers) {
    if (isUserAccount(from)) net[from] = money(net[from] - amount)
    if (isUserAccount(to)) net[to] = money(net[to] + amount)
  }
  return net
}
