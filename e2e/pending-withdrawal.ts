import { post } from '#test/support/app-client.ts'
import { createUser, type TestUser, withNewestUser } from './users.ts'

export const PIN = '042713'
const TRC20 = 102
export const BANK = 101
const DETAILS: Readonly<Record<number, Record<string, string>>> = {
  [TRC20]: { 'Wallet address (TRC-20)': 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' },
  [BANK]: { 'Account holder': 'Test User', Bank: 'First', 'Account number or IBAN': 'DE89370400440532013000' },
}

/**
 * Creates a pending withdrawal through the API, with a PIN and payment details. Other tests cover the screens for it.
 */
export async function withPending(
  address: string,
  amount: number,
  funds = 500,
  method: number = TRC20,
): Promise<{ user: TestUser; trx: string }> {
  const user = await createUser(address, { funds })
  const { token } = user.session
  const send = (path: string, body: object) => post(address, path, body, token)
  await send('/user/security/confirm', { password: user.password })
  await send('/user/profile/withdrawal-code', { withdrawal_code: PIN, withdrawal_code_confirmation: PIN })
  // Each user has their own account number, because staff must give a reason for a destination that users share.
  const account = method === BANK ? { 'Account number or IBAN': user.username } : {}
  const information = { ...DETAILS[method], ...account }
  await send('/user/withdrawals/user-withdrawals', { withdraw_method_id: method, withdrawal_information: information })
  const reply = await send('/user/withdrawals/save', { method_id: method, amount, withdrawal_code: PIN })
  const { withdrawal } = reply as { withdrawal: { trx: string } }
  return { user: { ...user, session: await withNewestUser(address, token) }, trx: withdrawal.trx }
}
