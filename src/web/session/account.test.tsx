import { beforeEach, expect, it, vi } from 'vitest'
import { aUser } from '#test/support/web-fixtures.ts'

const USER = aUser({ id: 'u1' })

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  vi.resetModules()
})

/** Loads the modules as a page load does: the storages keep their items, and the memory is empty. */
async function loadPage() {
  vi.resetModules()
  const { getSession, signIn, signOut } = await import('#web/session/session.ts')
  return { getSession, signIn, signOut, ...(await import('#web/session/account.ts')) }
}

/** A tab with a user who trades in practice. */
async function practicePage() {
  const page = await loadPage()
  page.signIn({ token: 'T', user: USER })
  page.chooseAccount('practice')
  expect([page.getAccount(), document.documentElement.dataset['account']]).toEqual(['practice', 'practice'])
  return page
}

it('a new tab starts with the live account, and a reload keeps the account of the tab', async () => {
  expect((await loadPage()).getAccount()).toBe('live')
  await practicePage()
  const reloaded = await loadPage()
  expect(reloaded.getAccount()).toBe('practice')
  expect(document.documentElement.dataset['account']).toBe('practice')
  sessionStorage.clear()
  const other = await loadPage()
  expect([other.getAccount(), document.documentElement.dataset['account']]).toEqual(['live', undefined])
})

it.each([
  ['a log-out', (page: Page) => page.signOut()],
  ['a log-out in another tab', logOutElsewhere],
  ['a log-in of another user', (page: Page) => page.signIn({ token: 'T2', user: aUser({ id: 'u2' }) })],
  ['the loss of the verification', (page: Page) => page.signIn({ token: 'T', user: { ...USER, ev: false } })],
])('%s leads back to the live account, also after a reload', async (_, end) => {
  const page = await practicePage()
  end(page)
  expect([page.getAccount(), document.documentElement.dataset['account']]).toEqual(['live', undefined])
  page.signIn({ token: 'T', user: USER })
  expect(page.getAccount()).toBe('live')
  expect((await loadPage()).getAccount()).toBe('live')
})

it('a change of the balance keeps the account', async () => {
  const page = await practicePage()
  page.signIn({ token: 'T', user: { ...USER, balance: 5 } })
  expect(page.getAccount()).toBe('practice')
})

it('visitors and unverified users cannot choose practice', async () => {
  const page = await loadPage()
  page.chooseAccount('practice')
  expect(page.getAccount()).toBe('live')
  page.signIn({ token: 'T', user: { ...USER, ev: false } })
  page.chooseAccount('practice')
  expect(page.getAccount()).toBe('live')
})

it.each(['{', '{}', '"practice"', '{"userId":"u1","account":"house"}', '{"userId":"u2","account":"practice"}'])(
  'the stored text %s counts as live',
  async (stored) => {
    const page = await loadPage()
    page.signIn({ token: 'T', user: USER })
    sessionStorage.setItem('account', stored)
    expect((await loadPage()).getAccount()).toBe('live')
  },
)

type Page = Awaited<ReturnType<typeof loadPage>>

function logOutElsewhere(): void {
  localStorage.removeItem('session')
  globalThis.dispatchEvent(new StorageEvent('storage', { key: 'session' }))
}
