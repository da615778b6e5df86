import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { LoginScreen } from '#web/screens/login/login-screen.tsx'
import { CodeForm } from '#web/screens/verification/code-form.tsx'
import { getSession, signIn } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

beforeEach(() => signIn({ token: 'T1', user: aUser({ ev: false }) }))

test('TX12: another code is sent on request, but not again immediately', async () => {
  const { seen } = fakeApi({
    'POST /user/email-verify': { body: { data: { sent_to: 'a•••@example.com', channel: 'mail' } } },
  })
  render(<CodeForm />)
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Code Sent Successfully')).toBeTruthy()
  expect(screen.getByText(/^We sent a code to a•••@example\.com\./)).toBeTruthy()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Send again in \d+ s$/ })
  expect(button.disabled).toBe(true)
  expect(seen.map(({ route }) => route)).toEqual(['POST /user/email-verify'])
})

test('F10: another code is offered again only when the server sends one', async () => {
  fakeApi({ 'POST /user/email-verify': { body: { data: { sent_to: 'a•••@example.com', channel: 'mail' } } } })
  render(<CodeForm />)
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  const button = await screen.findByRole('button', { name: /^Send again in \d+ s$/ })
  expect(Number(/\d+/.exec(button.textContent)?.[0])).toBeGreaterThan(30)
})

test('F39: a wrong code shows one message, marks the field and keeps the session', async () => {
  const message = 'The code is wrong or has expired'
  const body = { message, code: 'code_wrong', errors: { code: [message] } }
  fakeApi({ 'POST /user/email-verify/verify': { status: 422, body } })
  render(<CodeForm />)
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findAllByText(message)).toHaveLength(1)
  expect(screen.getByRole('alert').textContent).toBe(message)
  expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true')
  expect(getSession()?.token).toBe('T1')
})

test('the right code ends the session', async () => {
  const { seen } = fakeApi({ 'POST /user/email-verify/verify': { body: { data: {} } } })
  render(<CodeForm />)
  await userEvent.type(screen.getByLabelText('Code'), ' 123456 ')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await expect.poll(getSession).toBeNull()
  expect(seen[0]?.body).toEqual({ code: '123456' })
})

test.each([
  [{ email: 'ada@example.com' }, 'a•••@example.com'],
  [{ email: null, mobile_code: '+49', mobile: '15112345678' }, '•••678'],
])('F39: the form shows the masked address that the code went to: %o', (user, address) => {
  signIn({ token: 'T1', user: aUser({ ev: false, ...user }) })
  render(<CodeForm />)
  expect(screen.getByText(new RegExp(`^We sent a code to ${address}\\.`))).toBeTruthy()
})

test('F63: a removed verification shows its reason, and mentions a sent code only if a valid code exists', () => {
  const reason = 'The phone number belongs to somebody else.'
  signIn({ token: 'T1', user: aUser({ ev: false, ev_reason: reason, code_sent: false, email: 'ada@example.com' }) })
  render(<CodeForm />)
  expect(screen.getByText(reason)).toBeTruthy()
  expect(screen.queryByText(/^We sent a code/)).toBeNull()
  expect(screen.getByText('You have no valid code. Press “Send again” to get one at a•••@example.com.')).toBeTruthy()
})

test('F63: a removed verification without a reason shows no reason', () => {
  signIn({ token: 'T1', user: aUser({ ev: false, email: 'ada@example.com' }) })
  render(<CodeForm />)
  expect(screen.queryByText(/^Your verification was removed/)).toBeNull()
  expect(screen.getByText(/^We sent a code to a•••@example\.com\./)).toBeTruthy()
})

test('F39: after the code the log-in has the username filled in and shows why', async () => {
  fakeApi({ 'POST /user/email-verify/verify': { body: { data: {} } } })
  render(<CodeForm />)
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await expect.poll(getSession).toBeNull()
  cleanup()
  render(<LoginScreen />)
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  expect(screen.getByText('Your account is verified. Log in to continue.')).toBeTruthy()
  expect(screen.getByText('Verification ends all sessions of the account, so you need to log in again.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
})

test('F22: the place of the button with the code is reserved before the code arrives', async () => {
  let send: (answer: FakeAnswer) => void = () => undefined
  fakeApi({
    'GET /user/general-setting': { body: { data: { site_name: 'F', mode: 'demo', server_time: 1, outbox: true } } },
    'GET /outbox': () => new Promise((resolve) => (send = resolve)),
  })
  signIn({ token: 'T1', user: aUser({ ev: false, email: 'ada@example.com' }) })
  await loadSettings()
  const { container } = render(<CodeForm />)
  const place = () => container.querySelector('[aria-busy=true] button')
  expect(place()).toBeTruthy()
  const button = place()
  send({ body: { data: { messages: [{ to: 'x', kind: 'k', code: '654321', text: '', sent_at: '' }] } } })
  expect(await screen.findByRole('button', { name: 'Verify with 654321' })).toBe(button)
  expect(place()).toBeNull()
})

test('F22: without a code in the outbox there is no button', async () => {
  fakeApi({
    'GET /user/general-setting': { body: { data: { site_name: 'F', mode: 'demo', server_time: 1, outbox: true } } },
    'GET /outbox': { body: { data: { messages: [] } } },
  })
  signIn({ token: 'T1', user: aUser({ ev: false, email: 'ada@example.com' }) })
  await loadSettings()
  render(<CodeForm />)
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Verify with/ })).toBeNull())
})

test('F63: a code that is no longer valid is not offered', async () => {
  const { seen } = fakeApi({
    'GET /user/general-setting': { body: { data: { site_name: 'F', mode: 'demo', server_time: 1, outbox: true } } },
    'GET /outbox': { body: { data: { messages: [{ to: 'x', kind: 'k', code: '654321', text: '', sent_at: '' }] } } },
    'POST /user/email-verify': { body: { data: { sent_to: 'a•••@example.com', channel: 'outbox' } } },
  })
  signIn({ token: 'T1', user: aUser({ ev: false, code_sent: false, email: 'ada@example.com' }) })
  await loadSettings()
  render(<CodeForm />)
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(seen.findIndex(({ route }) => route === 'GET /outbox')).toBe(
    seen.findIndex(({ route }) => route === 'POST /user/email-verify') + 1,
  )
  expect(await screen.findByRole('button', { name: 'Verify with 654321' })).toBeTruthy()
})

test('one press verifies with the code that the outbox shows to this browser', async () => {
  const { seen } = fakeApi({
    'GET /user/general-setting': { body: { data: { site_name: 'F', mode: 'demo', server_time: 1, outbox: true } } },
    'GET /outbox': { body: { data: { messages: [{ to: 'x', kind: 'k', code: '654321', text: '', sent_at: '' }] } } },
    'POST /user/email-verify/verify': { body: { data: {} } },
  })
  signIn({ token: 'T1', user: aUser({ ev: false, email: 'ada@example.com' }) })
  await loadSettings()
  render(<CodeForm />)
  await userEvent.click(await screen.findByRole('button', { name: 'Verify with 654321' }))
  await expect.poll(getSession).toBeNull()
  expect(seen.find(({ route }) => route === 'GET /outbox')?.query).toEqual({ to: 'ada@example.com' })
  expect(seen.find(({ route }) => route === 'POST /user/email-verify/verify')?.body).toEqual({ code: '654321' })
})
