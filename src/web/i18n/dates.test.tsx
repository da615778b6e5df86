import { afterEach, expect, it } from 'vitest'
import { dayAndTimeText, fullDayAndTimeText } from '#web/i18n/dates.ts'
import { setCurrentLanguage } from '#web/i18n/language.ts'
import { clock } from '#web/options/options.ts'

afterEach(() => {
  setCurrentLanguage('en')
  clock.choose('local')
})

const AT = Date.parse('2026-11-21T14:37:02Z')

it('a day and its time are plain text in English', () => {
  clock.choose('utc')
  expect(dayAndTimeText(AT)).toBe('21 Nov 14:37:02 UTC')
  expect(fullDayAndTimeText(AT)).toBe('21 Nov 2026 14:37:02 UTC')
})

it('a day and its time are one right-to-left run in Arabic, so that the day comes first in a sentence too', () => {
  clock.choose('utc')
  setCurrentLanguage('ar')
  expect(dayAndTimeText(AT)).toBe('\u2067\u206821 نوفمبر\u2069 \u206814:37:02 UTC\u2069\u2069')
})
