import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { PhoneCard } from '#web/screens/security/phone-card.tsx'
import { getSession, signIn, useSession } from '#web/session/session.ts'

const user = aUser({ mobile_code: '+49', mobile: '1701112222', mobile_proven: false })
beforeEach(() => signIn({ token: 'T1', user }))

function Card() {
  const session = useSession()
  return session === null ? null : <PhoneCard user={session.user} />
}

test('a number is confirmed with the code sent to it', async () => {
  const { seen } = fakeApi({
    'POST /user/email-verify': { body: { data: { sent_to: '+49•••22', channel: 'sms' } } },
    'POST /user/email-verify/verify': { body: { data: {} } },
  })
  render(<Card />)
  expect(screen.getByText(/^Confirm \+49 1701112222/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  await userEvent.type(await screen.findByLabelText('Code'), ' 123456 ')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm number' }))
  expect(await screen.findByText(/is confirmed/)).toBeTruthy()
  expect(getSession()?.user.mobile_proven).toBe(true)
  expect(seen.at(-1)?.body).toEqual({ code: '123456' })
})

test('a number that cannot receive messages shows why', async () => {
  const body = { message: 'Please wait a minute', code: 'too_many_attempts' }
  fakeApi({ 'POST /user/email-verify': { status: 429, body } })
  render(<Card />)
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  expect(await screen.findByText('Please wait a minute')).toBeTruthy()
  expect(screen.queryByLabelText('Code')).toBeNull()
})
