import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { getSession, signIn, updateUser } from '#web/session/session.ts'
import { refreshUser, takeUser } from '#web/site/refresh-user.ts'

const PROFILE = 'GET /user/profile'
const balance = () => getSession()?.user.balance
const profile = (amount: number): FakeAnswer => ({ body: { data: { user: aUser({ balance: amount }) } } })
let held: ((answer: FakeAnswer) => void)[]

beforeEach(() => {
  held = []
  fakeApi({ [PROFILE]: () => new Promise<FakeAnswer>((resolve) => held.push(resolve)) })
  signIn({ token: 'token', user: aUser({ balance: 100 }) })
})

const requested = (requests: number) => vi.waitFor(() => expect(held).toHaveLength(requests))

it('a profile that was read before an order does not replace the balance after the order', async () => {
  const refreshed = refreshUser()
  await requested(1)
  updateUser({ balance: 90 })
  held[0]?.(profile(100))
  await requested(2)
  expect(balance()).toBe(90)
  held[1]?.(profile(90.5))
  await refreshed
  expect(balance(), 'of the second request').toBe(90.5)
})

it('the later one of two requests counts, whichever reply comes first, and both callers get its balance', async () => {
  const first = refreshUser()
  const second = refreshUser()
  await requested(2)
  held[0]?.(profile(100))
  held[1]?.(profile(70))
  await first
  expect(balance()).toBe(70)
  await second
  expect(balance()).toBe(70)
  const third = refreshUser()
  const fourth = refreshUser()
  await requested(4)
  held[3]?.(profile(60))
  await fourth
  held[2]?.(profile(100))
  await third
  expect(balance()).toBe(60)
  expect(held, 'no further requests').toHaveLength(4)
})

it('the balance of another tab is newer than a profile that was read before', async () => {
  const refreshed = refreshUser()
  await requested(1)
  const stored = JSON.stringify({ token: 'token', user: aUser({ balance: 80 }) })
  localStorage.setItem('session', stored)
  globalThis.dispatchEvent(Object.assign(new Event('storage'), { key: 'session' }))
  held[0]?.(profile(100))
  await requested(2)
  expect(balance()).toBe(80)
  held[1]?.(profile(80))
  await refreshed
})

it('a saved profile that is older than the balance is loaded again', async () => {
  let answer = (_user: ReturnType<typeof aUser>): void => undefined
  const saved = takeUser(() => new Promise((resolve) => (answer = resolve)))
  updateUser({ balance: 90 })
  answer(aUser({ balance: 100, firstname: 'Ada' }))
  await requested(1)
  expect(balance()).toBe(90)
  held[0]?.({ body: { data: { user: aUser({ balance: 90, firstname: 'Ada' }) } } })
  await saved
  expect(getSession()?.user).toMatchObject({ balance: 90, firstname: 'Ada' })
})
