import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { WithdrawPinScreen } from '#web/screens/withdraw-pin/withdraw-pin-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { getSession, signIn } from '#web/session/session.ts'

const DONE: FakeAnswer = { body: { data: { withdrawal_code_enabled: true } } }

function open({
  hasPin = false,
  query = '',
  answer = DONE,
}: {
  hasPin?: boolean
  query?: string
  answer?: FakeAnswer
} = {}) {
  const user = aUser({ withdrawal_code_enabled: hasPin })
  signIn({ token: 'T1', user })
  setAddress(`/account/withdraw-pin${query}`)
  const api = fakeApi({
    'POST /user/profile/withdrawal-code': answer,
    'GET /user/profile': { body: { data: { user: { ...user, withdrawal_code_enabled: true } } } },
  })
  render(
    <ToastProvider dismissLabel="Dismiss">
      <WithdrawPinScreen />
    </ToastProvider>,
  )
  return { ...api, user: userEvent.setup() }
}

const bodies = (seen: ReturnType<typeof open>['seen']) =>
  seen.filter(({ route }) => route === 'POST /user/profile/withdrawal-code').map(({ body }) => body)
const pins = { next: () => screen.getByLabelText('New PIN'), confirm: () => screen.getByLabelText('Confirm new PIN') }

test('the user sets the first PIN without a current PIN, and returns to the withdrawal', async () => {
  const { seen, user } = open({ query: '?redirect=withdraw' })
  expect(screen.getByText(/Set a withdrawal PIN first/)).toBeTruthy()
  expect(screen.queryByLabelText('Current PIN')).toBeNull()
  await user.type(pins.next(), '042713')
  await user.type(pins.confirm(), '042713')
  await user.click(screen.getByRole('button', { name: 'Set PIN' }))
  await waitFor(() => expect(globalThis.location.pathname).toBe('/withdraw'))
  expect(screen.queryByText('Updated Successfully'), 'F43: no toast over the form of the withdrawal').toBeNull()
  expect(getSession()?.user.withdrawal_code_enabled).toBe(true)
  expect(bodies(seen)).toEqual([{ withdrawal_code: '042713', withdrawal_code_confirmation: '042713' }])
})

test('the user changes the PIN with the current PIN', async () => {
  const { seen, user } = open({ hasPin: true })
  await user.type(screen.getByLabelText('Current PIN'), '111111')
  await user.type(pins.next(), '042713')
  await user.type(pins.confirm(), '042713')
  await user.click(screen.getByRole('button', { name: 'Change PIN' }))
  await screen.findByText('Updated Successfully')
  expect(globalThis.location.pathname).toBe('/wallet')
  expect(bodies(seen)).toEqual([
    { current_withdrawal_code: '111111', withdrawal_code: '042713', withdrawal_code_confirmation: '042713' },
  ])
})

test('an invalid PIN is not sent', async () => {
  const { seen, user } = open({ hasPin: true })
  await user.type(pins.next(), '12345')
  await user.type(pins.confirm(), '123456')
  await user.click(screen.getByRole('button', { name: 'Change PIN' }))
  expect(screen.getByText('Current PIN is Required')).toBeTruthy()
  expect(screen.getByText('PIN must be 6 digits and numbers only')).toBeTruthy()
  expect(screen.getByText('The two PINs are not the same')).toBeTruthy()
  expect(bodies(seen)).toEqual([])
})

test('the form requires the current PIN as soon as the server reports that a PIN exists', async () => {
  const message = 'Current PIN is Required'
  const refused = { message, code: 'field_required', errors: { current_withdrawal_code: [message] } }
  const { user } = open({ answer: { status: 422, body: refused } })
  await user.type(pins.next(), '042713')
  await user.type(pins.confirm(), '042713')
  await user.click(screen.getByRole('button', { name: 'Set PIN' }))
  expect(await screen.findByLabelText('Current PIN')).toBeTruthy()
})
