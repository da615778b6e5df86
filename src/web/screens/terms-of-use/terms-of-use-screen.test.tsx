import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { TermsOfUseOut, TermsVersionOut } from '#contract/terms-of-use.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { TermsOfUseScreen } from '#web/screens/terms-of-use/terms-of-use-screen.tsx'
import { signIn, signOut } from '#web/session/session.ts'

beforeEach(() => {
  queryClient.clear()
  signOut()
})

function version(number: number, text: string, rest: Partial<TermsVersionOut> = {}): TermsVersionOut {
  return {
    version: number,
    title: 'Our terms',
    text,
    summary: '',
    sha256: `hash-${number}`,
    from: '2026-01-01T00:00:00.000Z',
    needs_consent: true,
    ...rest,
  }
}

const CURRENT: TermsOfUseOut = {
  current: version(2, 'Be kind.\n\nPay nothing.'),
  upcoming: null,
  agreed: { version: 2, at: '2026-02-01T10:00:00.000Z', language: 'en', sha256: 'hash-2' },
  needed: false,
  versions: [
    { version: 2, from: '2026-01-01T00:00:00.000Z' },
    { version: 1, from: '2025-01-01T00:00:00.000Z' },
  ],
}

function open(terms: TermsOfUseOut, isSignedIn = true) {
  if (isSignedIn) signIn({ token: 'T1', user: aUser({ terms_needed: terms.needed }) })
  const api = fakeApi({
    'GET /user/terms': { body: { data: terms } },
    'GET /user/terms/1': { body: { data: version(1, 'Be kind.') } },
    'POST /user/terms/agree': { body: { data: { ...terms, needed: false } } },
    'GET /user/profile': { body: { data: { user: aUser() } } },
  })
  render(<TermsOfUseScreen />)
  return { ...api, user: userEvent.setup() }
}

test('the screen shows visitors the text in force, and requests no consent from them', async () => {
  open({ ...CURRENT, agreed: null }, false)
  expect(await screen.findByText('Pay nothing.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'I agree' })).toBeNull()
})

test('the screen shows which version the user agreed to, and the text of an older version', async () => {
  const { user } = open(CURRENT)
  expect(await screen.findByText(/^You agreed to version 2 on /)).toBeTruthy()
  expect(screen.queryByText('New')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Version 1, since / }))
  await waitFor(() => expect(screen.getAllByText('Be kind.')).toHaveLength(2))
})

test('the screen marks what an announced version changes, and sends the hash of the text with the consent', async () => {
  const upcoming = version(3, 'Be kind.\n\nPay one.', { summary: 'A fee.', from: '2026-12-24T00:00:00.000Z' })
  const { seen, user } = open({ ...CURRENT, upcoming })
  expect(await screen.findByText('A fee.')).toBeTruthy()
  expect(screen.getByText('Pay one.').closest('ins')).toBeTruthy()
  expect(screen.getAllByText('Be kind.').every((text) => text.closest('ins') === null)).toBe(true)
  await user.click(screen.getByRole('button', { name: 'I agree' }))
  await waitFor(() => {
    const sent = seen.find(({ route }) => route === 'POST /user/terms/agree')
    expect(sent?.body).toEqual({ version: 3, sha256: 'hash-3' })
  })
})

test('the screen requests consent to the version in force, and marks its changes from the version that the user agreed to', async () => {
  const agreed = { version: 1, at: '2025-02-01T10:00:00.000Z', language: 'en', sha256: 'hash-1' }
  const { seen, user } = open({ ...CURRENT, agreed, needed: true })
  await waitFor(() => expect(screen.getByText('Pay nothing.').closest('ins')).toBeTruthy())
  expect(screen.getAllByText(/Orders and deposits wait until you agree/).length).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'I agree' }))
  await waitFor(() => {
    const sent = seen.find(({ route }) => route === 'POST /user/terms/agree')
    expect(sent?.body).toEqual({ version: 2, sha256: 'hash-2' })
  })
})
