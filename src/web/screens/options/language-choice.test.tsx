import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { OptionsScreen } from '#web/screens/options/options-screen.tsx'

const NAMES =
  'English, Vietnamese, Bahasa Indonesia, China, Japanese, Brasil, Francais, Deutsch, Italiano, Polski, Cestina, Romania, Portugal, Espana, India'.split(
    ', ',
  )
const NOT_SPOKEN = ['Polski', 'Cestina', 'Romania', 'India']

afterEach(() => vi.restoreAllMocks())

it('F50: the options list fifteen names in the specified order, and mark unavailable ones', () => {
  render(<OptionsScreen />)
  const options = [...screen.getByLabelText('Language').querySelectorAll('option')]
  expect(options.slice(0, NAMES.length).map(({ value }) => value)).toEqual(NAMES)
  const others = options.slice(NAMES.length).map(({ value }) => value)
  expect(others.toSorted()).toEqual(['Bahasa Melayu', 'ไทย', 'العربية', 'کوردی', '한국어'].toSorted())
  expect(options.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual(NOT_SPOKEN)
  for (const { textContent, disabled } of options) expect(textContent.includes('Not available')).toBe(disabled)
})

it.each([
  ['Vietnamese', 'vi'],
  ['China', 'tw'],
  ['Brasil', 'pt'],
  ['Portugal', 'pt'],
  ['Deutsch', 'de'],
])('F50: %s switches to %s', async (name, code) => {
  const assign = vi.spyOn(globalThis.location, 'assign').mockImplementation(() => undefined)
  render(<OptionsScreen />)
  await userEvent.selectOptions(screen.getByLabelText('Language'), name)
  expect(localStorage.getItem('lang')).toBe(code)
  expect(assign.mock.calls).toEqual([['/']])
  localStorage.clear()
})
