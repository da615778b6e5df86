import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { fakeApi, type FakeAnswer, type SeenRequest } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { WithdrawScreen } from '#web/screens/withdraw/withdraw-screen.tsx'
import { showNotice } from '#web/session/notice.ts'
import { setAddress } from '#web/session/location.ts'
import { signIn } from '#web/session/session.ts'

const PIN = '042713'

function aMethod(rest: Partial<WithdrawMethodOut> = {}): WithdrawMethodOut {
  return {
    id: 1,
    version: 1,
    name: 'USDT, TRC-20',
    image: '',
    single_currency: {
      currency: 'USDT',
      min_amount: 20,
      max_amount: 5000,
      fixed_charge: 1,
      percent_charge: 1,
      rate: 1,
      wallet_address: '',
    },
    form: { form_data: [{ name: 'address', label: 'Address', type: 'text', is_required: true, value: 'TXYZ' }] },
    description: '<p>Only <b>TRON</b><script>alert(1)</script></p>',
    hasMethod: true,
    user_withdrawal_details: { withdrawal_information: '[]' },
    ...rest,
  }
}
const BARE = aMethod({ id: 2, name: 'Bank transfer', hasMethod: false, user_withdrawal_details: null })
const SENT = {
  body: {
    data: {
      withdrawal: {
        trx: 'FW-AAAA-BBBB-CCCC',
        status: 2,
        created_at: '2026-03-18T15:00:00.000Z',
        method: 'USDT, TRC-20',
        method_image: '',
        currency: 'USDT',
        amount: 100,
        percent_charge: 1,
        fixed_charge: 1,
        charge: 2,
        rate: 1,
        paid_out: 98,
        admin_feedback: '',
        is_cancelled: false,
        can_cancel: true,
      },
    },
  },
}

interface Given {
  methods?: WithdrawMethodOut[]
  status?: 0 | 1
  hasPin?: boolean
  /** Whether the user has a PIN according to the server's latest reply. Default: `hasPin`. */
  hasPinNow?: boolean
  at?: string
  isLocked?: boolean
  save?: FakeAnswer | ((request: SeenRequest) => FakeAnswer)
}

function open(given: Given = {}) {
  const { methods = [aMethod(), BARE], status = 1, hasPin = true, hasPinNow = hasPin } = given
  const { at = '/withdraw', save = SENT, isLocked = false } = given
  queryClient.clear()
  const user = aUser({ balance: 350, withdrawal_code_enabled: hasPin })
  signIn({ token: 'T1', user })
  setAddress(at)
  const site = { methods, withdraw_status: status, withdraw_reason: 'Back at 18:00.', image_path: '' }
  const api = fakeApi({
    'GET /user/payment-gateways/withdraw': { body: { data: site } },
    'GET /user/limits': { body: { data: { withdrawal_lock: isLocked, loss: {}, staked: {} } } },
    'GET /user/withdrawals': { body: { data: { withdrawals: [] } } },
    'GET /user/profile': { body: { data: { user: { ...user, withdrawal_code_enabled: hasPinNow } } } },
    'POST /user/withdrawals/save': save,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <WithdrawScreen />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { ...api, user: userEvent.setup() }
}

const address = () => globalThis.location.pathname + globalThis.location.search
const submit = () => screen.findByRole('button', { name: 'Withdraw' })
const sentBodies = (seen: SeenRequest[]) =>
  seen.filter(({ route }) => route === 'POST /user/withdrawals/save').map(({ body }) => body as Record<string, string>)

async function fill(user: ReturnType<typeof userEvent.setup>, amount: string, pin = PIN): Promise<void> {
  await submit()
  await user.type(screen.getByLabelText('Amount'), amount)
  await user.type(screen.getByLabelText('Withdrawal PIN'), pin)
}

test('the screen sends the typed values and then shows the confirmation', async () => {
  const { seen, user } = open()
  await fill(user, '100')
  expect(screen.getByText('98.00 USDT')).toBeTruthy()
  await user.click(await submit())
  expect(await screen.findByText('withdraw request sent with amount')).toBeTruthy()
  expect(screen.getByText('$100.00')).toBeTruthy()
  expect(sentBodies(seen)).toEqual([
    {
      method_id: 1,
      method_version: 1,
      amount: '100.00',
      fields: {},
      withdrawal_code: PIN,
      client_request_id: expect.any(String),
    },
  ])
})

test.each<[string, Given, string]>([
  ['no PIN', { hasPin: false }, '/account/withdraw-pin?redirect=withdraw'],
  ['one method without details', { methods: [BARE] }, '/account/payment-method/2?redirect=withdraw'],
  ['asked for one without details', { at: '/withdraw?method=2' }, '/account/payment-method/2?redirect=withdraw'],
])('%s: redirects there first', async (_, given, expected) => {
  open(given)
  await waitFor(() => expect(address()).toBe(expected))
})

test('the screen does not ask the user to set a PIN when one was already set on another device', async () => {
  open({ hasPin: false, hasPinNow: true })
  expect(await submit()).toBeTruthy()
  expect(address()).toBe('/withdraw')
})

test('choosing a method without details opens its form', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Change the withdrawal method, now USDT, TRC-20' }))
  await user.click(screen.getByRole('radio', { name: /Bank transfer/ }))
  expect(address()).toBe('/account/payment-method/2?redirect=withdraw')
})

test('the method that the address names is chosen, so a return from its details continues with it', async () => {
  open({ methods: [aMethod(), aMethod({ id: 3, name: 'E-wallet' })], at: '/withdraw?method=3' })
  expect(await screen.findByRole('button', { name: 'Change the withdrawal method, now E-wallet' })).toBeTruthy()
})

test('the screen refuses a withdrawal until a withdrawal method has payment details', async () => {
  const { seen, user } = open({ methods: [BARE, { ...BARE, id: 3 }] })
  await fill(user, '100')
  await user.click(await submit())
  expect(screen.getByText('Withdrawal method is Required')).toBeTruthy()
  expect(sentBodies(seen)).toEqual([])
})

test('the screen shows only the reason while withdrawals are closed', async () => {
  open({ status: 0, hasPin: false })
  expect((await screen.findByRole('alert')).textContent).toBe('Back at 18:00.')
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  expect(address()).toBe('/withdraw')
})

test.each([
  ['19.99', PIN, 'Minimum Amount is 20.00 USDT'],
  ['5000.01', PIN, 'Maximum Amount is 5,000.00 USDT'],
  ['350.01', PIN, 'Insufficient Balance'],
  ['100', '12345', 'PIN must be 6 digits and numbers only'],
])('%s with %s: %s', async (amount, pin, text) => {
  const { seen, user } = open()
  await fill(user, amount, pin)
  await user.click(await submit())
  expect(screen.getByText(text)).toBeTruthy()
  expect(sentBodies(seen)).toEqual([])
})

test('a wrong PIN is cleared, and the amount stays', async () => {
  const message = 'The PIN is wrong'
  const refused = { message, code: 'pin_wrong', errors: { withdrawal_code: [message] } }
  const { user } = open({ save: { status: 422, body: refused } })
  await fill(user, '100')
  await user.click(await submit())
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect(screen.getByLabelText<HTMLInputElement>('Withdrawal PIN').value).toBe('')
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('100')
})

test('a lost reply leads to a repeat with the same request id, and another amount to a new id', async () => {
  const { seen, user } = open({
    save: () => {
      throw new TypeError('Failed to fetch')
    },
  })
  await fill(user, '100')
  await user.click(await submit())
  await screen.findByRole('alert')
  await user.click(await submit())
  await waitFor(() => expect(sentBodies(seen)).toHaveLength(2))
  await user.type(screen.getByLabelText('Amount'), '.50')
  await user.click(await submit())
  await waitFor(() => expect(sentBodies(seen)).toHaveLength(3))
  const [first, second, third] = sentBodies(seen).map((body) => body['client_request_id'])
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('the screen shows the description of a method as text, without elements of its HTML', async () => {
  open()
  const text = await screen.findByText('Only TRONalert(1)')
  expect(text.querySelector('*')).toBeNull()
})

test.each([
  ['the whole balance', aMethod(), '350.00'],
  [
    'the maximum of the method',
    aMethod({ single_currency: { ...aMethod().single_currency, max_amount: 200 } }),
    '200.00',
  ],
])('F43: Max fills in %s', async (_, method, expected) => {
  const { user } = open({ methods: [method] })
  await submit()
  await user.click(screen.getByRole('button', { name: `Use the largest possible amount, ${expected} USDT` }))
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe(expected)
})

test('F43: Max is absent when the balance is below the minimum', async () => {
  open({ methods: [aMethod({ single_currency: { ...aMethod().single_currency, min_amount: 351 } })] })
  await submit()
  expect(screen.queryByRole('button', { name: /^Use the largest/ })).toBeNull()
})

test('F43: the amount field names one currency', async () => {
  open()
  await submit()
  const field = screen.getByLabelText('Amount').parentElement
  expect(field?.textContent).toContain('USDT')
  expect(field?.textContent).not.toContain('$')
})

test('F43: the notice of the previous screen is part of the page and covers nothing', async () => {
  showNotice({ tone: 'success', text: 'Updated Successfully' })
  open()
  await submit()
  const said = screen.getByText('Updated Successfully')
  expect(said.closest('form')).not.toBeNull()
})

test('F43: both steps tell users that they can cancel, unless the withdrawal lock is on', async () => {
  const { user } = open()
  await fill(user, '100')
  expect(await screen.findByText(/You can cancel until the payment begins/)).toBeTruthy()
  await user.click(await submit())
  expect(await screen.findByText(/and you can cancel/)).toBeTruthy()
})

test('F43: users with the withdrawal lock are not told that they can cancel', async () => {
  const locked = { ...SENT.body.data.withdrawal, can_cancel: false }
  const { user, seen } = open({ isLocked: true, save: { body: { data: { withdrawal: locked } } } })
  await fill(user, '100')
  await waitFor(() => expect(seen.map(({ route }) => route)).toContain('GET /user/limits'))
  expect(screen.getByText(/The amount is held now/)).toBeTruthy()
  expect(screen.queryByText(/cancel/i)).toBeNull()
  await user.click(await submit())
  expect(await screen.findByText(/Until then it is held/)).toBeTruthy()
  expect(screen.queryByText(/cancel/i)).toBeNull()
})
