import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { PaymentMethodScreen } from '#web/screens/payment-method/payment-method-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { signIn } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

const FIELDS = [
  { name: 'holder', label: 'Account holder', type: 'text', is_required: true, value: '' },
  { name: 'mail', label: 'Account email', type: 'email', is_required: true, value: '' },
  { name: 'memo', label: 'Memo', type: 'something new', is_required: false, value: '' },
]

function open({ saved = false, query = '', answer }: { saved?: boolean; query?: string; answer?: FakeAnswer } = {}) {
  queryClient.clear()
  signIn({ token: 'T1', user: aUser() })
  setAddress(`/account/payment-method/7${query}`)
  const values = saved ? ['Ada', 'ada@example.com', ''] : ['', '', '']
  const fields = FIELDS.map((field, at) => ({ ...field, value: values[at] ?? '' }))
  const method = { id: 7, name: 'E-wallet', description: '<p>In euros</p>', hasMethod: saved }
  const api = fakeApi({
    'GET /user/withdrawals/user-withdrawals/7': answer ?? {
      body: { data: { method, withdrawal_information: fields } },
    },
    'POST /user/withdrawals/user-withdrawals': { body: { data: { method } } },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <PaymentMethodScreen params={{ id: '7' }} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { ...api, user: userEvent.setup() }
}

const save = () => screen.getByRole('button', { name: 'Save' })
const address = () => globalThis.location.pathname + globalThis.location.search

test('the screen shows the form of the method, names missing values, and saves by label', async () => {
  const { seen, user } = open()
  await user.type(await screen.findByLabelText('Account email'), 'nothing like it')
  await user.click(save())
  expect(screen.getByText('Account holder is Required')).toBeTruthy()
  expect(screen.getByText('Account email is not valid')).toBeTruthy()
  expect(screen.queryByText('Memo is Required')).toBeNull()

  await user.type(screen.getByLabelText('Account holder'), ' Ada ')
  await user.clear(screen.getByLabelText('Account email'))
  await user.type(screen.getByLabelText('Account email'), 'ada@example.com')
  await user.click(save())
  await waitFor(() => expect(address()).toBe('/account/withdrawal-methods'))
  const sent = seen.filter(({ route }) => route === 'POST /user/withdrawals/user-withdrawals')
  expect(sent.map(({ body }) => body)).toEqual([
    {
      withdraw_method_id: 7,
      withdrawal_information: { 'Account holder': 'Ada', 'Account email': 'ada@example.com', Memo: '' },
    },
  ])
})

test('F27: changed payment details show above the button how long withdrawals are blocked', async () => {
  fakeApi({
    'GET /user/general-setting': {
      body: { data: { site_name: 'Fairwick', mode: 'demo', server_time: 1, withdrawal_pause_hours: 24 } },
    },
  })
  await loadSettings()
  open()
  const note = await screen.findByText('This change pauses withdrawals for 24 h.')
  expect(note.compareDocumentPosition(save()) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('the screen returns to the withdrawal with the method chosen if the user came from there', async () => {
  const { user } = open({ saved: true, query: '?redirect=withdraw' })
  expect((await screen.findByLabelText<HTMLInputElement>('Account holder')).value).toBe('Ada')
  await user.click(save())
  await waitFor(() => expect(address()).toBe('/withdraw?method=7'))
})

test('the screen shows the saved values, and the form on request', async () => {
  const { user } = open({ saved: true })
  expect(await screen.findByText('ada@example.com')).toBeTruthy()
  expect(screen.getByText('Not given')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText<HTMLInputElement>('Account email').value).toBe('ada@example.com')
})

test('a removed method shows a message without a retry button', async () => {
  open({ answer: { status: 404, body: { message: 'Not found', code: 'not_found' } } })
  expect(await screen.findByText('This withdrawal method is no longer offered.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
