import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WithdrawalOut } from '#contract/withdrawals.ts'
import { withData } from '#web/api/query.tsx'
import { PaymentLine } from '#web/screens/account-history/payment-line.tsx'
import { WithdrawalCard } from '#web/screens/withdrawal-history/withdrawal-card.tsx'

const IMAGE = '0123456789abcdef0123456789abcdef.webp'
const AT = '2026-03-18T15:00:00.000Z'
const WITHDRAWAL = {
  trx: 'FW-AAAA-BBBB-CCCC',
  state: 'requested',
  created_at: AT,
  method: 'Bank transfer',
  method_image: IMAGE,
  currency: 'USD',
  amount: 100,
  paid_out: 98,
  admin_feedback: '',
  steps: [],
  due_at: null,
  reason_code: null,
  can_cancel: false,
} as unknown as WithdrawalOut

test.each([
  [
    'the latest payments',
    () => <PaymentLine method="Bank transfer" image={IMAGE} createdAt={AT} amount={100} status={2} />,
  ],
  ['the history of withdrawals', withData(() => <WithdrawalCard withdrawal={WITHDRAWAL} />)],
])('F73: in %s a payment shows the uploaded picture of a method', (_, Shown) => {
  const { container } = render(<Shown />)
  expect(container.querySelector('img')?.getAttribute('src')).toMatch(new RegExp(`/${IMAGE}$`))
})
