import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { GatewayOut } from '#contract/deposits.ts'
import type { UserOut } from '#contract/profile.ts'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { DepositScreen } from '#web/screens/deposit/deposit-screen.tsx'
import { getSession, signIn } from '#web/session/session.ts'

const DEMO: GatewayOut = {
  id: 1,
  version: 1,
  name: 'Demo funds',
  image: '',
  is_automatic: true,
  is_live_rate: false,
  address_history: null,
  single_currency: {
    currency: 'USDT',
    min_amount: 10,
    max_amount: 50_000,
    fixed_charge: 0,
    percent_charge: 0,
    rate: 1,
    wallet_address: '',
  },
  form: { form_data: [] },
  description: '<p>Virtual <b>money</b><script>alert(1)</script></p>',
}
const TRC20: GatewayOut = {
  ...DEMO,
  id: 2,
  version: 1,
  name: 'USDT, TRC-20',
  is_automatic: false,
  address_history: { since: '2026-11-20T08:00:00.000Z', before: '7Hjq2x' },
  single_currency: {
    ...DEMO.single_currency,
    min_amount: 20,
    fixed_charge: 1,
    percent_charge: 1,
    rate: 0.9998,
    wallet_address: 'TDemo4hQ9wick',
  },
  form: { form_data: [{ name: 'hash', label: 'Transaction hash', type: 'text', is_required: true }] },
}

function open(save: FakeAnswer | (() => FakeAnswer), gateways = [DEMO, TRC20], own: Partial<UserOut> = {}) {
  queryClient.clear()
  signIn({ token: 'T1', user: aUser(own) })
  const api = fakeApi({
    'GET /user/payment-gateways/deposit': { body: { data: { gateways, image_path: '', closed_reason: '' } } },
    'GET /user/deposits': { body: { data: { deposits: [] } } },
    'GET /user/profile': { body: { data: { user: aUser({ balance: 350 }) } } },
    'POST /user/deposits/save': save,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <DepositScreen />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { ...api, user: userEvent.setup() }
}

const REQUEST_ID: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)
const submit = () => screen.findByRole('button', { name: 'Submit deposit' })
const SAVED = { body: { data: { deposit: { trx: 'X', status: 1, credited: 250 } } } }

test('the form says during a break that deposits are not accepted', async () => {
  const until = new Date(Date.now() + 86_400_000).toISOString()
  open({ status: 500 }, [DEMO], {
    break: { kind: 'time_out', from: '2026-03-18T15:00:00.000Z', until, state: 'on', ready_at: null, words: null },
  })
  expect(await screen.findByText('No deposits during your break')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the form credits an automatic deposit: balance, message and redirect to home', async () => {
  const { seen, user } = open(SAVED)
  await submit()
  await user.type(screen.getByLabelText('Amount'), '250')
  await user.click(await submit())
  await screen.findByText('$250.00 added to your balance')
  expect(getSession()?.user.balance).toBe(350)
  expect(globalThis.location.pathname).toBe('/')
  const sent = seen.find((request) => request.route === 'POST /user/deposits/save')
  expect(sent?.body).toEqual({ method_id: '1', method_version: '1', amount: '250.00', client_request_id: REQUEST_ID })
})

test('the form shows the methods again when the chosen one changed after they were shown', async () => {
  const { seen, user } = open({
    status: 409,
    body: { code: 'gateway_changed', message: 'This payment method has changed.' },
  })
  await submit()
  await user.type(screen.getByLabelText('Amount'), '250')
  await user.click(await submit())
  await screen.findByText('This payment method has changed.')
  await waitFor(() => {
    expect(seen.filter(({ route }) => route === 'GET /user/payment-gateways/deposit')).toHaveLength(2)
  })
})

test('SC31: the form shows the terms, address and fields of another gateway', async () => {
  const { seen, user } = open({ body: { data: { deposit: { trx: 'X', status: 2, credited: 249.95 } } } })
  await user.click(await screen.findByRole('button', { name: 'Change the gateway, now Demo funds' }))
  await user.click(screen.getByRole('radio', { name: /USDT, TRC-20/ }))
  expect(screen.getByText('TDemo4hQ9wick')).toBeTruthy()
  expect(screen.getByText(/^This address counts since .* Before: …7Hjq2x$/)).toBeTruthy()
  await user.type(screen.getByLabelText('Amount'), '250')
  expect(screen.getByText('253.50 USDT')).toBeTruthy()
  expect(screen.getByText(/249\.9500/)).toBeTruthy()
  await user.click(await submit())
  expect(screen.getByText('Transaction hash is Required')).toBeTruthy()
  expect(seen.some((request) => request.route === 'POST /user/deposits/save')).toBe(false)
  await user.type(screen.getByLabelText('Transaction hash'), '0xabc')
  await user.click(await submit())
  await screen.findByText('Deposit of $249.95 sent. It is credited once approved.')
  const sent = seen.find((request) => request.route === 'POST /user/deposits/save')
  expect(sent?.body).toEqual({
    method_id: '2',
    method_version: '1',
    amount: '250.00',
    'fields[Transaction hash]': '0xabc',
    client_request_id: REQUEST_ID,
  })
})

const BANK: GatewayOut = {
  ...TRC20,
  id: 3,
  version: 1,
  name: 'Bank transfer',
  form: { form_data: [{ name: 'receipt', label: 'Receipt', type: 'file', is_required: true }] },
}

test('the form sends a valid proof of payment with the request', async () => {
  const { seen, user } = open({ body: { data: { deposit: { trx: 'X', status: 2, credited: 249.95 } } } }, [BANK])
  await user.type(await screen.findByLabelText('Amount'), '250')
  await user.click(await submit())
  expect(screen.getByText('Receipt is Required')).toBeTruthy()
  const field = screen.getByLabelText<HTMLInputElement>(/^Receipt/)
  await userEvent
    .setup({ applyAccept: false })
    .upload(field, new File(['<html>'], 'receipt.png', { type: 'image/png' }))
  expect(await screen.findByText(/This type of file cannot be used/)).toBeTruthy()
  await user.click(await submit())
  expect(seen.some((request) => request.route === 'POST /user/deposits/save')).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Remove Receipt' }))
  const receipt = new File(['%PDF-1.7 receipt'], 'receipt.pdf', { type: 'application/pdf' })
  await user.upload(screen.getByLabelText(/^Receipt/), receipt)
  await screen.findByText('receipt.pdf')
  await user.click(await submit())
  await screen.findByText('Deposit of $249.95 sent. It is credited once approved.')
  const sent = seen.find((request) => request.route === 'POST /user/deposits/save')
  expect(sent?.body).toMatchObject({
    method_id: '3',
    'fields[Receipt]': expect.objectContaining({ name: 'receipt.pdf' }),
  })
})

test('the form repeats a request with a lost reply under the same id, and sends another request under a new id', async () => {
  let answers = 0
  const { seen, user } = open(() => {
    answers += 1
    return { status: 503, body: {} }
  }, [DEMO])
  await user.type(await screen.findByLabelText('Amount'), '250')
  for (let turn = 1; turn <= 3; turn += 1) {
    if (turn === 3) await user.type(screen.getByLabelText('Amount'), '0')
    await user.click(await submit())
    await waitFor(() => expect(answers).toBe(turn))
    await waitFor(() => expect(screen.getByRole('alert')).toBeTruthy())
  }
  const ids = seen.flatMap(({ route, body }) =>
    route === 'POST /user/deposits/save' ? [(body as { client_request_id: string }).client_request_id] : [],
  )
  expect(ids[0]).toBe(ids[1])
  expect(ids[2]).not.toBe(ids[1])
})

test('the form shows when a live price is missing', async () => {
  const bitcoin = {
    ...DEMO,
    name: 'Bitcoin',
    is_live_rate: true,
    single_currency: { ...DEMO.single_currency, currency: 'BTC', rate: 0 },
  }
  const { user } = open(SAVED, [bitcoin])
  await user.type(await screen.findByLabelText('Amount'), '20')
  await user.click(await submit())
  expect(screen.getByText(/There is no current BTC price/)).toBeTruthy()
})

test('the form shows the minimum amount', async () => {
  const { user } = open(SAVED)
  await submit()
  await user.type(screen.getByLabelText('Amount'), '9.99')
  await user.click(await submit())
  expect(screen.getByText('Minimum Amount is 10.00 USDT')).toBeTruthy()
})

test('the form shows a refusal above the form and keeps the typed values', async () => {
  const { user } = open({
    status: 422,
    body: { message: 'Deposits are closed at the moment', code: 'deposits_closed' },
  })
  await submit()
  await user.type(screen.getByLabelText('Amount'), '100')
  await user.click(await submit())
  expect((await screen.findByRole('alert')).textContent).toContain('Deposits are closed at the moment')
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('100')
})

test('the form shows the description of a gateway as text, without elements of its HTML', async () => {
  open(SAVED, [DEMO])
  const text = await screen.findByText(/Virtual money/)
  expect(text.querySelector('*')).toBeNull()
})

test('the form shows no form without a gateway', async () => {
  open(SAVED, [])
  // The history beside the form shows the same text.
  await waitFor(() => expect(screen.getAllByText('No Data')).toHaveLength(2))
  expect(screen.queryByLabelText('Amount')).toBeNull()
})
