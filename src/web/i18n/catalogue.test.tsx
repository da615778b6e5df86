import { afterEach, expect, it } from 'vitest'
import english from '#messages/en.json' with { type: 'json' }
import italian from '#messages/it.json' with { type: 'json' }
import { loadLanguage, loadTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'

afterEach(() => loadLanguage('en'))

it('the app shows the chosen language, first on the log-in and then on all other screens', async () => {
  await loadLanguage('it')
  expect([t('login.title'), t('languages.title')]).toEqual([italian.login.title, english.languages.title])
  await Promise.all([loadTexts('more'), loadTexts('more')])
  expect(t('languages.title')).toBe(italian.languages.title)
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['it', 'ltr'])
})

it('the app mirrors the page for languages written from right to left', async () => {
  await loadLanguage('ar')
  expect([currentLanguage().code, document.documentElement.lang, document.documentElement.dir]).toEqual([
    'ar',
    'ar',
    'rtl',
  ])
})

it('the app switches back to English', async () => {
  await loadLanguage('it')
  await loadLanguage('en')
  await loadTexts('more')
  expect([t('login.title'), t('languages.title')]).toEqual([english.login.title, english.languages.title])
})
