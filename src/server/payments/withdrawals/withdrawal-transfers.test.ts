import { expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

// A withdrawal with only the fields that the tested function reads.
const withdrawal = (charge: number): Withdrawal =>
  ({ userId: 'u', id: 'w', amount: money(10_000), charge: money(charge) }) as Withdrawal
const FROM = { userId: 'u', ref: 'w', from: 'withdrawing', currency: 'USDT' }

it('pays out the amount minus the fee, and transfers the fee', () => {
  expect(closingTransfers(withdrawal(400), 'paid')).toEqual([
    { ...FROM, step: 'close', kind: 'withdrawal_paid', to: 'house:withdrawals', amount: 9_600n },
    { ...FROM, step: 'fee', kind: 'withdrawal_fee', to: 'house:fees', amount: 400n },
  ])
})

it('posts no transfer for a fee of zero', () => {
  expect(closingTransfers(withdrawal(0), 'paid')).toEqual([
    { ...FROM, step: 'close', kind: 'withdrawal_paid', to: 'house:withdrawals', amount: 10_000n },
  ])
})

it.each(['rejected', 'cancelled'] as const)('returns the whole amount when it is %s', (ending) => {
  expect(closingTransfers(withdrawal(400), ending)).toEqual([
    { ...FROM, step: 'close', kind: `withdrawal_${ending}`, to: 'cash', amount: 10_000n },
  ])
})
