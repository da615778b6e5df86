import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { DepositOut } from '#contract/deposits.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { DepositStateLine } from '#web/screens/deposit-history/deposit-state-line.tsx'

const DEPOSIT: DepositOut = {
  trx: 'FW-AAAA-BBBB-CCCC',
  status: 2,
  created_at: '2026-03-18T15:00:00.000Z',
  method: 'Bank transfer',
  method_image: '',
  currency: 'USD',
  amount: 98,
  percent_charge: 0,
  fixed_charge: 2,
  charge: 2,
  total: 100,
  rate: 1,
  credited: 98,
  admin_feedback: '',
  state: 'seen',
  quoted_until: null,
  arrived: null,
  steps: [],
}

const draw = (change: Partial<DepositOut>) =>
  render(
    <QueryClientProvider client={queryClient}>
      <DepositStateLine deposit={{ ...DEPOSIT, ...change }} />
    </QueryClientProvider>,
  )

test.each([
  ['95.00', '95.00 of 100.00 USD arrived.'],
  ['105.00', '105.00 USD arrived, 5.00 more than asked.'],
])('F98: a deposit for which %s arrived says so', (arrived, text) => {
  draw({ arrived })
  expect(screen.getByText(text)).toBeTruthy()
})

test('F98: a deposit that arrived as it was asked for says nothing more', () => {
  const { container } = draw({ arrived: '100.00' })
  expect(container.textContent).toBe('')
})

test('F98: a deposit whose quote is over can get a new rate, and can be closed', async () => {
  const { seen } = fakeApi({
    [`POST /user/deposits/${DEPOSIT.trx}/requote`]: { body: { data: { deposit: DEPOSIT } } },
    [`POST /user/deposits/${DEPOSIT.trx}/close`]: { body: { data: { deposit: DEPOSIT } } },
  })
  draw({ state: 'waiting', quoted_until: '2020-01-01T00:00:00.000Z' })
  expect(screen.getByText(/The quoted rate is over/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Get the current rate' }))
  await expect.poll(() => seen.length).toBe(1)
  await userEvent.click(await screen.findByRole('button', { name: 'Close this request' }))
  await expect
    .poll(() => seen.map(({ route }) => route))
    .toEqual([`POST /user/deposits/${DEPOSIT.trx}/requote`, `POST /user/deposits/${DEPOSIT.trx}/close`])
})
