/**
 * The ledger accounts. The four user accounts exist once per user. The balance of a house account is not stored: it is
 * the sum of the transfers that touch it. Accepting an order therefore updates only rows of its user.
 */
export const USER_ACCOUNTS = ['cash', 'staked', 'withdrawing', 'credits'] as const
export const HOUSE_ACCOUNTS = [
  'house:trading',
  'house:fees',
  'house:deposits',
  'house:withdrawals',
  'house:bonus',
  'house:corrections',
  'house:practice',
] as const
export type UserAccount = (typeof USER_ACCOUNTS)[number]
export type Account = UserAccount | (typeof HOUSE_ACCOUNTS)[number]

export function isUserAccount(account: Account): account is UserAccount {
  return (USER_ACCOUNTS as readonly string[]).includes(account)
}
