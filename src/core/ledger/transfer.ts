import type { Account, UserAccount } from '#core/ledger/account.ts'
import { isUserAccount } from '#core/ledger/account.ts'
import { type Money, money } from '#core/money/money.ts'

/** The currency that balances are kept in. */
export const BASE_CURRENCY = 'USDT'

/**
 * Moves an amount from one account to another; it balances by construction. (`userId`, `ref`, `step`) is unique:
 * the same step of the same thing cannot happen twice.
 */
export interface Transfer {
  readonly userId: string
  /** What it is for: the id of an order, a deposit, … */
  readonly ref: string
  /** Which step of it: `stake`, `close`, `profit`, `deposit`, … */
  readonly step: string
  /** What happened, for people who read the ledger: `order_win`, `deposit`, … */
  readonly kind: string
  readonly from: Account
  readonly to: Account
  readonly currency: string
  /** Positive, minor units. */
  readonly amount: Money
}

/** What a user's accounts change by when these transfers are posted. */
export function netChanges(transfers: readonly Transfer[]): Record<UserAccount, Money> {
  const net: Record<UserAccount, Money> = { cash: money(0), staked: money(0), withdrawing: money(0), credits: money(0) }
  for (const { from, to, amount } of transfers) {
    if (isUserAccount(from)) net[from] = money(net[from] - amount)
    if (isUserAccount(to)) net[to] = money(net[to] + amount)
  }
  return net
}
