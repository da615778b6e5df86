import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { DEMO_FUNDS_GATEWAY } from '#server/payments/gateways/automatic-gateways.ts'
import type { Db } from '#server/platform/database/tables.ts'

const RECEIPT = { name: 'receipt', label: 'Receipt', type: 'file' }
const UNIT = 1_000_000n

/** Deposit gateways of a demo: one that credits immediately, and one of each kind that staff approve. */
const GATEWAYS = [
  {
    id: DEMO_FUNDS_GATEWAY,
    name: 'Demo funds',
    currency: BASE_CURRENCY,
    min_amount: 1_000n,
    max_amount: 5_000_000n,
    rate_millionths: UNIT,
    description: '<p>Virtual money to try everything with. It is credited at once and has no value.</p>',
    is_automatic: true,
  },
  {
    id: 2,
    name: 'Bank transfer',
    currency: 'EUR',
    min_amount: 5_000n,
    max_amount: 2_000_000n,
    fixed_charge: 150n,
    percent_charge_basis_points: 100,
    rate_millionths: 1_080_000n,
    description: '<p>A demo: no money is to be sent. Any picture or PDF will do as a receipt.</p>',
    form: JSON.stringify([
      { name: 'sender', label: 'Name of the account holder', type: 'text', is_required: true },
      { ...RECEIPT, is_required: true },
    ]),
  },
  {
    id: 3,
    name: 'USDT, TRC-20',
    currency: 'USDT',
    min_amount: 2_000n,
    max_amount: 2_000_000n,
    percent_charge_basis_points: 50,
    rate_millionths: UNIT,
    wallet_address: 'TDEMOxNOTxAxREALxADDRESSxSENDxNONE',
    description: '<p>A demo: the address belongs to nobody, and nothing is to be sent there.</p>',
    form: JSON.stringify([
      { name: 'hash', label: 'Transaction hash', type: 'text', is_required: false },
      { ...RECEIPT, is_required: true },
    ]),
  },
  {
    id: 4,
    name: 'Bitcoin',
    currency: 'BTC',
    min_amount: 1n,
    max_amount: 200n,
    // Not used, because bitcoins are credited at their live price.
    rate_millionths: UNIT,
    wallet_address: 'bc1qdemo-not-a-real-address-send-nothing',
    description: '<p>A demo: the address belongs to nobody, and nothing is to be sent there.</p>',
    form: JSON.stringify([{ name: 'hash', label: 'Transaction hash', type: 'text', is_required: true }]),
  },
]

export async function seedDepositGateways(db: Db): Promise<void> {
  const rows = GATEWAYS.map((gateway, place) => ({
    kind: 'deposit',
    fixed_charge: 0n,
    percent_charge_basis_points: 0,
    wallet_address: '',
    form: '[]',
    is_automatic: false,
    ...gateway,
    sort: place + 1,
  }))
  await db
    .insertInto('gateway')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
