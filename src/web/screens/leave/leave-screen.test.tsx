import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi, type SeenRequest } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { LeaveScreen } from '#web/screens/leave/leave-screen.tsx'
import { signIn } from '#web/session/session.ts'

const METHOD = {
  id: 101,
  name: 'Bank transfer',
  image: '',
  single_currency: {
    currency: 'USDT',
    min_amount: 5_000,
    max_amount: 9_000,
    fixed_charge: 5,
    percent_charge: 0,
    rate: 1,
    wallet_address: '',
  },
  form: { form_data: [{ name: 'iban', label: 'IBAN', type: 'text', is_required: true, value: '' }] },
  description: '',
  hasMethod: false,
  user_withdrawal_details: null,
}

beforeEach(() => queryClient.clear())

function show(leaving: { reason: string; closed_at: string | null }, available: number, codeTo: string | null = null) {
  const customer_link = 'https://help.example'
  const user = { ...aUser(), balance: available, withdrawal_code_enabled: false, customer_link, leaving }
  signIn({ token: 'token', user })
  const sent: SeenRequest[] = []
  const leave = { available, principal: 100, leave: null, code_to: codeTo }
  fakeApi({
    'GET /user/profile': { body: { data: { user } } },
    'GET /user/leave': { body: { data: leave } },
    'GET /user/payment-gateways/withdraw': {
      body: { data: { methods: [METHOD], withdraw_status: 1, withdraw_reason: '', image_path: '' } },
    },
    'GET /user/withdrawals': {
      body: { data: { withdrawals: [] }, meta: { page: 1, per_page: 10, total: 0, pages: 0 } },
    },
    'POST /user/leave/code': { body: { data: { sent_to: codeTo }, message: 'Code Sent Successfully' } },
    'POST /user/leave': (request: SeenRequest) => {
      sent.push(request)
      return { body: { data: { leave: null } } }
    },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Close">
        <LeaveScreen />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return sent
}

test('a blocked user reads why, and withdraws all money even below the minimum of the method', async () => {
  const sent = show({ reason: 'Several accounts.', closed_at: null }, 120)
  expect(await screen.findByText('Several accounts.')).toBeTruthy()
  expect(await screen.findByText('of which you deposited $100.00')).toBeTruthy()
  await userEvent.type(await screen.findByLabelText('IBAN'), 'DE00 1234')
  await userEvent.click(screen.getByRole('button', { name: 'Take all money out' }))
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ method_id: 101, fields: { IBAN: 'DE00 1234' } }]))
})

test('F64: a blocked user finds where to write', async () => {
  show({ reason: 'Several accounts.', closed_at: null }, 0)
  const service = await screen.findByRole('link', { name: /Customer service/ })
  expect(service.getAttribute('href')).toBe('https://help.example')
  expect(screen.getByRole('link', { name: 'My tickets' }).getAttribute('href')).toBe('/tickets')
})

test('for a closed account, the screen shows when the account was closed, and no form', async () => {
  show({ reason: '', closed_at: '2026-03-18T15:00:00.000Z' }, 0)
  expect(await screen.findByText(/Your account was closed on/)).toBeTruthy()
  await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Take all money out' })).toBeNull()
})

test('money that was returned to a closed account can be withdrawn', async () => {
  show({ reason: '', closed_at: '2026-03-18T15:00:00.000Z' }, 120)
  expect(await screen.findByRole('button', { name: 'Take all money out' })).toBeTruthy()
})

test('an account without a PIN confirms with a code that was sent to its contact', async () => {
  const sent = show({ reason: 'Several accounts.', closed_at: null }, 120, 'a•••@example.com')
  await userEvent.type(await screen.findByLabelText('IBAN'), 'DE00 1234')
  expect(screen.getByText(/we send a code to a•••@example.com/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Take all money out' }))
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  expect(await screen.findByText('Code Sent Successfully')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Code from the message'), '246802')
  await userEvent.click(screen.getByRole('button', { name: 'Take all money out' }))
  const body = { method_id: 101, fields: { IBAN: 'DE00 1234' }, code: '246802' }
  await waitFor(() => expect(sent.map((request) => request.body)).toEqual([body]))
})
