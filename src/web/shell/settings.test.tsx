import { expect, test, vi } from 'vitest'
import { fakeApi } from '#testing/fake-api.ts'

const german = { body: { data: { site_name: 'Fairwick', mode: 'demo', default_language: 'de', server_time: 1 } } }

/** As a new load of the page: what is kept in memory is gone, storage stays. */
async function freshPage() {
  vi.resetModules()
  return import('#web/shell/settings.ts')
}

test('the own language of the site counts on the first visit and on the next, until the visitor chooses', async () => {
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

test('settings that are cut off are asked for again, and silently given up in the end', async () => {
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
