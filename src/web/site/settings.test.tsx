import { expect, test, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'

const german = { body: { data: { site_name: 'Fairwick', mode: 'demo', default_language: 'de', server_time: 1 } } }

/** Simulates a new page load: state in memory is gone, storage stays. */
async function freshPage() {
  vi.resetModules()
  return import('#web/site/settings.ts')
}

test("the site's default language applies until the visitor chooses one", async () => {
  fakeApi({ 'GET /user/general-setting': german })
  const first = await freshPage()
  expect([first.settingsAreKnown(), first.siteLanguage()]).toEqual([false, null])
  await first.loadSettings()
  expect([first.settingsAreKnown(), first.siteLanguage()]).toEqual([true, 'de'])

  const next = await freshPage()
  expect([next.settingsAreKnown(), next.siteLanguage()]).toEqual([true, 'de'])
  localStorage.setItem('lang', 'fr')
  expect(next.siteLanguage()).toBeNull()
})

test('settings that fail to load are requested again, and given up silently', async () => {
  vi.useFakeTimers()
  try {
    const { seen } = fakeApi({})
    const { loadSettings, settingsAreKnown } = await freshPage()
    const loading = loadSettings()
    await vi.runAllTimersAsync()
    await loading
    expect([seen.length, settingsAreKnown()]).toEqual([4, false])
  } finally {
    vi.useRealTimers()
  }
})

test('NV11, F51: a log-out clears the stored settings and reloads them', async () => {
  let answer: (it: typeof german) => void = () => undefined
  const answered = new Promise<typeof german>((resolve) => {
    answer = resolve
  })
  const { seen } = fakeApi({ 'GET /user/general-setting': german })
  const { loadSettings } = await freshPage()
  const { signIn, signOut } = await import('#web/session/session.ts')
  signIn({ token: 'T', user: aUser() })
  await loadSettings()
  expect(localStorage.getItem('settings')).not.toBeNull()
  const again = fakeApi({ 'GET /user/general-setting': () => answered })
  signOut()
  expect(localStorage.getItem('settings'), 'before the answer').toBeNull()
  await expect.poll(() => again.seen.length).toBe(1)
  answer(german)
  await expect.poll(() => localStorage.getItem('settings')).not.toBeNull()
  expect(seen).toHaveLength(1)
})
