import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { call } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { LoginScreen } from '#web/screens/login/login-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { Page } from '#web/shell/page.tsx'
import { getSession, signIn, signOut } from '#web/session/session.ts'

const LOGIN = { body: { username: 'ada', password: 'secret12' } }

test('CA35, CA36: a call sends the token and the language, and returns the data', async () => {
  signIn({ token: 'T1', user: aUser() })
  const { seen } = fakeApi({ 'GET /user/profile': { body: { data: { user: aUser({ balance: 7 }) } } } })
  const { data } = await call('GET /user/profile')
  expect(data.user.balance).toBe(7)
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer T1')
  expect(seen[0]?.headers.get('locale')).toBe('en')
})

test('FA1: a call throws a refusal with its code, message and fields', async () => {
  signOut()
  const errors = { username: ['This username is taken'] }
  fakeApi({ 'POST /user/auth/login': { status: 422, body: { message: 'No', code: 'username_taken', errors } } })
  const failure = await call('POST /user/auth/login', LOGIN).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CallFailure)
  expect(failure).toMatchObject({ kind: 'refused', status: 422, code: 'username_taken', message: 'No', errors })
})

test.each([
  ['a text', 'The current password is wrong', { '': ['The current password is wrong'] }],
  ['a list', ['Too short', 'Too common'], { '': ['Too short', 'Too common'] }],
  ['a map of texts', { password: 'Too short' }, { password: ['Too short'] }],
  ['a map of lists', { password: ['Too short', 'Too common'] }, { password: ['Too short', 'Too common'] }],
])('F13: the app shows a 422 whose errors are %s', async (_, errors, expected) => {
  fakeApi({ 'POST /user/auth/login': { status: 422, body: { errors } } })
  const failure = await call('POST /user/auth/login', LOGIN).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'refused', message: Object.values(expected).flat()[0], errors: expected })
})

test.each([[''], [[]], [{}], [null], [[{}]], [7]])(
  'F13: the app shows Server Error for a 422 with errors %j',
  async (errors) => {
    fakeApi({ 'POST /user/auth/login': { status: 422, body: { errors } } })
    await expect(call('POST /user/auth/login', LOGIN)).rejects.toMatchObject({ message: 'Server Error' })
  },
)

test("FA2: the app shows the server's message for a 404", async () => {
  signIn({ token: 'T1', user: aUser() })
  fakeApi({ 'GET /user/profile': { status: 404, body: { message: 'Not found', code: 'not_found' } } })
  await expect(call('GET /user/profile')).rejects.toMatchObject({ kind: 'refused', message: 'Not found' })
  expect(getSession()).not.toBeNull()
})

test.each([401, 403])('NV10, FA4: a call ends the session on a %i for a logged-in user', async (status) => {
  signIn({ token: 'T1', user: aUser() })
  fakeApi({ 'GET /user/profile': { status, body: { message: 'Please log in', code: 'not_signed_in' } } })
  await expect(call('GET /user/profile')).rejects.toThrow('Please log in')
  expect(getSession()).toBeNull()
})

test('NV10, F42: a call passes the reason and username to the log-in when the server ends a session', async () => {
  signIn({ token: 'T1', user: aUser() })
  fakeApi({ 'GET /user/profile': { status: 401, body: { message: 'Please log in', code: 'not_signed_in' } } })
  await expect(call('GET /user/profile')).rejects.toThrow('Please log in')
  setAddress('/login')
  render(<LoginScreen />)
  expect(screen.getByText(/^You were logged out: this session was ended/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
})

test('F42: the app shows the reason on a page without log-in, also after a log-out in another tab', async () => {
  signIn({ token: 'T1', user: aUser() })
  setAddress('/market')
  render(<Page title="Market">here</Page>)
  localStorage.removeItem('session')
  act(() => void globalThis.dispatchEvent(new StorageEvent('storage', { key: 'session' })))
  expect(getSession()).toBeNull()
  expect(screen.getByText('You logged out in another tab.')).toBeTruthy()
})

test('a late 401 for an older token does not end a newer session', async () => {
  signIn({ token: 'old', user: aUser() })
  fakeApi({
    'GET /user/profile': () => {
      signIn({ token: 'new', user: aUser() })
      return { status: 401, body: { message: 'Please log in', code: 'not_signed_in' } }
    },
  })
  await expect(call('GET /user/profile')).rejects.toThrow('Please log in')
  expect(getSession()?.token).toBe('new')
})

test('FA3, ET1: the app shows Server Error for a fault, whatever its body says', async () => {
  fakeApi({ 'POST /user/auth/login': { status: 500, body: { message: 'stack trace', code: 'oops' } } })
  await expect(call('POST /user/auth/login', LOGIN)).rejects.toMatchObject({ kind: 'fault', message: 'Server Error' })
})

test('FA7: a call distinguishes a missing reply from a refusal', async () => {
  fakeApi({})
  await expect(call('POST /user/auth/login', LOGIN)).rejects.toMatchObject({ kind: 'network', status: 0 })
})

test('an aborted call is not reported as a network failure', async () => {
  fakeApi({ 'GET /user/countries': () => new Promise(() => undefined) })
  const controller = new AbortController()
  controller.abort()
  fakeApi({})
  await expect(call('GET /user/countries', { signal: controller.signal })).rejects.not.toBeInstanceOf(CallFailure)
})

test('an unanswered GET fails as a network failure and can be retried', async () => {
  vi.useFakeTimers()
  try {
    let requests = 0
    // Behaves like a browser: the promise stays pending until the request is aborted.
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
      requests += 1
      if (requests > 1) return Promise.resolve(new Response('{"data":{"countries":[]}}'))
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const failure = call('GET /user/countries').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await failure).toMatchObject({ kind: 'network', code: 'network' })
    await expect(call('GET /user/countries')).resolves.toEqual({ data: { countries: [] } })
    expect(vi.getTimerCount(), 'nothing is left behind').toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test("an aborted call is rejected with the reason of the caller's signal", async () => {
  const controller = new AbortController()
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const failure = call('GET /user/countries', { signal: controller.signal }).catch((error: unknown) => error)
  controller.abort()
  expect(await failure).toMatchObject({ name: 'AbortError' })
})
