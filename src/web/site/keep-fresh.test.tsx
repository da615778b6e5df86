import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import english from '#messages/en.json' with { type: 'json' }
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { fakeApi } from '#test/support/fake-api.ts'

const settings = (more: object) => ({
  body: { data: { site_name: 'Fairwick', mode: 'demo', default_language: 'en', server_time: 1, ...more } },
})
const WELCOME = { body: { data: { version: 'one', texts: { login: { title: 'Welcome' } } } } }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Simulates a new page load: state in memory is gone, storage stays. */
async function freshPage() {
  vi.resetModules()
  const [{ keepFresh }, { loadSettings, offeredLanguages, siteLanguage }, { t }, { loadLanguage }] = await Promise.all([
    import('#web/site/keep-fresh.ts'),
    import('#web/site/settings.ts'),
    import('#web/i18n/t.ts'),
    import('#web/i18n/catalogue.ts'),
  ])
  await loadLanguage('en')
  return { keepFresh, loadSettings, offeredLanguages, siteLanguage, t }
}

test('text overrides appear within a minute and on the next visit, and disappear when removed', async () => {
  const overrides: Record<string, unknown> = {}
  const { seen } = fakeApi({
    'GET /user/general-setting': () => settings(overrides),
    'GET /user/texts/en': WELCOME,
  })
  const page = await freshPage()
  const draw = vi.fn<() => void>()
  page.keepFresh(draw)
  await vi.advanceTimersByTimeAsync(50_000)
  expect([page.t('login.title'), draw.mock.calls.length]).toEqual([english.login.title, 0])
  expect(
    seen.some(({ route }) => route.includes('texts')),
    'a site without any asks for none',
  ).toBe(false)

  overrides['text_versions'] = { en: 'one' }
  await vi.advanceTimersByTimeAsync(60_000)
  expect([page.t('login.title'), draw.mock.calls.length]).toEqual(['Welcome', 1])

  const next = await freshPage()
  expect(next.t('login.title')).toBe('Welcome')
  overrides['text_versions'] = undefined
  next.keepFresh(draw)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(next.t('login.title')).toBe(english.login.title)
  expect(localStorage.getItem('own-texts')).toBeNull()
})

test('text overrides of another language are not used', async () => {
  localStorage.setItem(
    'own-texts',
    JSON.stringify({ language: 'de', version: 'x', texts: { login: { title: 'Hallo' } } }),
  )
  const { t } = await freshPage()
  expect(t('login.title')).toBe(english.login.title)
})

test('text overrides that fail to load are requested again', async () => {
  let isBroken = true
  fakeApi({
    'GET /user/general-setting': settings({ text_versions: { en: 'one' } }),
    'GET /user/texts/en': () => (isBroken ? { status: 500, body: { message: 'no', code: 'fault' } } : WELCOME),
  })
  const page = await freshPage()
  await page.loadSettings()
  page.keepFresh(() => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(page.t('login.title')).toBe(english.login.title)
  isBroken = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(page.t('login.title')).toBe('Welcome')
})

test("only offered languages can be chosen, and a withdrawn language is replaced by the site's default", async () => {
  localStorage.setItem('lang', 'fr')
  fakeApi({ 'GET /user/general-setting': settings({ languages: ['en', 'de'], default_language: 'de' }) })
  const page = await freshPage()
  expect(page.offeredLanguages()).toHaveLength(LANGUAGE_CODES.length)
  await page.loadSettings()
  expect(page.offeredLanguages()).toEqual(['en', 'de'])
  vi.resetModules()
  const next = await import('#web/site/settings.ts')
  expect(next.siteLanguage()).toBe('de')
})
