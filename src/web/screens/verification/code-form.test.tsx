import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#testing/fake-api.ts'
import { aUser } from '#testing/web-fixtures.ts'
import { CodeForm } from '#web/screens/verification/code-form.tsx'
import { getSession, signIn } from '#web/shell/session.ts'

beforeEach(() => signIn({ token: 'T1', user: aUser({ ev: false }) }))

test('another code is sent on request, and not again right away', async () => {
  const { seen } = fakeApi({
    'POST /user/email-verify': { body: { data: { sent_to: 'a•••@example.com', channel: 'mail' } } },
  })
  render(<CodeForm />)
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Code Sent Successfully')).toBeTruthy()
  expect(screen.getByText('The code went to a•••@example.com.')).toBeTruthy()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Send again in \d+ s$/ })
  expect(button.disabled).toBe(true)
  expect(seen.map(({ route }) => route)).toEqual(['POST /user/email-verify'])
})

test('a wrong code is told beside the field and keeps the session', async () => {
  const message = 'The code is wrong or has expired'
  const body = { message, code: 'code_wrong', errors: { code: [message] } }
  fakeApi({ 'POST /user/email-verify/verify': { status: 422, body } })
  render(<CodeForm />)
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findAllByText(message), 'above the form and beside the field').toHaveLength(2)
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
