import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { UnsubscribeScreen } from '#web/screens/unsubscribe/unsubscribe-screen.tsx'

beforeEach(() => queryClient.clear())

test('the screen says what the link turns off, and turns it off only when the button is pressed', async () => {
  const api = fakeApi({
    'GET /notices/unsubscribe/T': { body: { data: { topic: 'deposits', mail: true } } },
    'POST /notices/unsubscribe/T': { body: { data: { topic: 'deposits', mail: false } } },
  })
  render(<UnsubscribeScreen params={{ token: 'T' }} />)
  expect(await screen.findByText(/Stop mails about “Deposits”/)).toBeTruthy()
  expect(api.seen.map(({ route }) => route)).toEqual(['GET /notices/unsubscribe/T'])
  await userEvent.click(screen.getByRole('button', { name: 'Stop these mails' }))
  expect(await screen.findByText('You get no more mails about “Deposits”.')).toBeTruthy()
})

test('the screen says that a link is not valid', async () => {
  fakeApi({ 'GET /notices/unsubscribe/T': { body: { data: { topic: null, mail: false } } } })
  render(<UnsubscribeScreen params={{ token: 'T' }} />)
  expect(await screen.findByText('This link is not valid.')).toBeTruthy()
})
