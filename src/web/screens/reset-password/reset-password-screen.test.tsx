import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { ForgotPasswordScreen } from '#web/screens/forgot-password/forgot-password-screen.tsx'
import { ResetPasswordScreen } from '#web/screens/reset-password/reset-password-screen.tsx'
import { keepDevice, ownDevice } from '#web/security/device.ts'
import { setAddress } from '#web/session/location.ts'

const LINK = 'L'.repeat(43)
const done = { body: { data: { device: 'D2' } } }

beforeEach(() => {
  sessionStorage.clear()
  keepDevice('D1')
})

async function chooseAndSend(password = 'violet-1799') {
  await userEvent.type(screen.getByLabelText('New password'), password)
  await userEvent.type(screen.getByLabelText('Confirm new password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
}

test('the screen sends the code with the secret of the request and the id of the device', async () => {
  const { seen } = fakeApi({
    'POST /user/auth/forgetPassword': { body: { data: { request: 'R1' } } },
    'POST /user/auth/verifyCode': { body: { data: { accounts: ['alice'] } } },
    'POST /user/auth/resetPassword': done,
  })
  setAddress('/forgot-password', { replace: true })
  const first = render(<ForgotPasswordScreen />)
  await userEvent.type(screen.getByLabelText('Email or phone number'), 'a@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await expect.poll(() => location.pathname).toBe('/reset-password')
  first.unmount()
  render(<ResetPasswordScreen />)
  expect(screen.getByText('New password for alice')).toBeTruthy()
  await chooseAndSend()
  await expect.poll(ownDevice).toBe('D2')
  expect(seen.map(({ body }) => body)).toEqual([
    { value: 'a@example.com', device: 'D1' },
    { code: '123456', email: 'a@example.com', request: 'R1', device: 'D1' },
    expect.objectContaining({
      email: 'a@example.com',
      token: '123456',
      request: 'R1',
      username: 'alice',
      device: 'D1',
    }),
  ])
})

test('a link needs no address and lets its holder choose the account by username', async () => {
  const { seen } = fakeApi({
    'POST /user/auth/verifyCode': { body: { data: { accounts: ['alice2', 'alice'] } } },
    'POST /user/auth/resetPassword': done,
  })
  setAddress(`/reset-password?code=${LINK}`, { replace: true })
  render(<ResetPasswordScreen />)
  expect(screen.queryByLabelText('Email or phone number')).toBeNull()
  await userEvent.selectOptions(await screen.findByLabelText('Account'), 'alice')
  await chooseAndSend()
  await expect.poll(ownDevice).toBe('D2')
  expect(seen.at(-1)?.body).toMatchObject({ username: 'alice', token: LINK, email: '' })
})

test('an expired link shows a message', async () => {
  const message = 'The code is wrong or has expired'
  fakeApi({ 'POST /user/auth/verifyCode': { status: 422, body: { message, code: 'code_wrong' } } })
  setAddress(`/reset-password?code=${LINK}`, { replace: true })
  render(<ResetPasswordScreen />)
  expect(await screen.findByText(message)).toBeTruthy()
})
