import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { LANGUAGE_CODES, LANGUAGES } from '#messages/languages.ts'
import { OptionsScreen } from '#web/screens/options/options-screen.tsx'

const NAMES =
  'English, Vietnamese, Bahasa Indonesia, China, Japanese, Brasil, Francais, Deutsch, Italiano, Polski, Cestina, Romania, Portugal, Espana, India'.split(
    ', ',
  )
/** The codes of the languages that the available names mean. Brasil and Portugal both mean Portuguese. */
const NAMED: readonly string[] = ['en', 'vi', 'id', 'tw', 'ja', 'pt', 'fr', 'de', 'it', 'es']
const NOT_SPOKEN = ['Polski', 'Cestina', 'Romania', 'India']

afterEach(() => vi.restoreAllMocks())

it('SC28, F50: the options list fifteen names in the specified order, and mark unavailable ones', () => {
  render(<OptionsScreen />)
  const options = [...screen.getByLabelText('Language').querySelectorAll('option')]
  expect(options.slice(0, NAMES.length).map(({ value }) => value)).toEqual(NAMES)
  const others = options.slice(NAMES.length).map(({ value }) => value)
  const unnamed = LANGUAGE_CODES.filter((code) => !NAMED.includes(code)).map((code) => LANGUAGES[code].name)
  expect(others.toSorted()).toEqual(unnamed.toSorted())
  expect(options.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual(NOT_SPOKEN)
  for (const { textContent, disabled } of options) expect(textContent.includes('Not available')).toBe(disabled)
})

it.each([
  ['Vietnamese', 'vi'],
  ['China', 'tw'],
  ['Brasil', 'pt'],
  ['Portugal', 'pt'],
  ['Deutsch', 'de'],
])('SC28, F50: %s switches to %s', async (name, code) => {
  const assign = vi.spyOn(globalThis.location, 'assign').mockImplementation(() => undefined)
  render(<OptionsScreen />)
  await userEvent.selectOptions(screen.getByLabelText('Language'), name)
  expect(localStorage.getItem('lang')).toBe(code)
  expect(assign.mock.calls).toEqual([['/']])
  localStorage.clear()
})
