import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { WithdrawalMethodsScreen } from '#web/screens/withdrawal-methods/withdrawal-methods-screen.tsx'

test('ET10: the screen shows a message when there are no methods', async () => {
  const data = { methods: [], withdraw_status: 1, withdraw_reason: '', image_path: '' }
  fakeApi({ 'GET /user/payment-gateways/withdraw': { body: { data } } })
  queryClient.clear()
  render(<WithdrawalMethodsScreen />)
  expect(await screen.findByText('currently no withdrawal methods available for your account')).toBeDefined()
})
