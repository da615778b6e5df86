import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import type { Db } from '#server/platform/database/tables.ts'

const text = (name: string, label: string): MethodField => ({ name, label, type: 'text', is_required: true })
const optional = (field: MethodField): MethodField => ({ ...field, is_required: false })

export const E_WALLET = {
  id: 103,
  name: 'E-wallet',
  currency: 'EUR',
  min_amount: 1_000n,
  max_amount: 500_000n,
  percent_charge_basis_points: 200,
  fixed_charge: 30n,
  rate_millionths: 1_080_000n,
  description: '<p>Paid in euros to the account of this email address. A demo: nothing is really paid.</p>',
  form: [
    { name: 'wallet_email', label: 'Account email', type: 'email', is_required: true },
    text('account_name', 'Name on the account'),
  ],
}

/** The first id is far higher than the ids of deposit gateways, which are in the same table. */
const METHODS = [
  {
    id: 101,
    name: 'Bank transfer',
    currency: 'USD',
    min_amount: 5_000n,
    max_amount: 2_500_000n,
    percent_charge_basis_points: 50,
    fixed_charge: 500n,
    rate_millionths: 1_000_000n,
    description: '<p>Paid to an account in your own name, within two working days. A demo: nothing is really paid.</p>',
    form: [
      text('account_holder', 'Account holder'),
      text('bank_name', 'Bank'),
      text('account_number', 'Account number or IBAN'),
      optional(text('swift', 'SWIFT / BIC')),
    ],
  },
  {
    id: 102,
    name: 'USDT, TRC-20',
    currency: BASE_CURRENCY,
    min_amount: 2_000n,
    max_amount: 5_000_000n,
    percent_charge_basis_points: 0,
    fixed_charge: 100n,
    rate_millionths: 1_000_000n,
    description:
      '<p>Only addresses of the TRON network (TRC-20). What is sent to another network is lost. A demo: nothing is really sent.</p>',
    form: [
      { ...text('wallet_address', 'Wallet address (TRC-20)'), type: 'destination', network: 'tron' },
      optional(text('memo', 'Memo')),
    ],
  },
  E_WALLET,
]

/** Creates the withdrawal methods of a new demo installation. */
export async function seedWithdrawMethods(db: Db): Promise<void> {
  const rows = METHODS.map(({ form, ...method }, place) => ({
    ...method,
    kind: 'withdraw',
    form: JSON.stringify(form),
    sort: place + 1,
  }))
  await db
    .insertInto('gateway')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
